import { describe, expect, it } from "vitest";
import { ProtoReader } from "../../src/protobuf/proto-reader.ts";

const reader = new ProtoReader();

function over(...bytes: number[]): ProtoReader {
  return reader.reset(Uint8Array.from(bytes), 0, bytes.length);
}

describe("a tag", () => {
  it("is read up to its 32 bits", () => {
    expect(over(0xff, 0xff, 0xff, 0xff, 0x0f).tag()).toBe(0xffffffff);
  });

  it.each([
    ["beyond 32 bits", [0xff, 0xff, 0xff, 0xff, 0x1f]],
    ["longer than five bytes", [0x88, 0x80, 0x80, 0x80, 0x80, 0x00]],
    ["cut off", [0x88, 0x80]],
  ])("%s is refused", (_, bytes) => {
    expect(() => over(...bytes).tag()).toThrowError(expect.objectContaining({ code: "INVALID_PROTOBUF", offset: 0 }));
  });
});

describe("a length", () => {
  it.each([
    ["of 2^31 or more", [0x80, 0x80, 0x80, 0x80, 0x08]],
    ["longer than five bytes", [0x81, 0x80, 0x80, 0x80, 0x80, 0x00]],
    ["beyond the end", [0x03, 0x01, 0x02]],
  ])("%s is refused", (_, bytes) => {
    expect(() => over(...bytes).fieldEnd()).toThrowError(expect.objectContaining({ code: "INVALID_PROTOBUF" }));
  });
});

describe("an unknown varint", () => {
  it("is skipped whatever its length", () => {
    const bytes = [...Array<number>(20).fill(0x80), 0x00, 0x2a];
    const skipped = over(...bytes);
    skipped.skip(0x98);
    expect(skipped.tag()).toBe(0x2a);
  });

  it("is refused when it never ends", () => {
    expect(() => over(0x80, 0x80).skip(0x98)).toThrowError(expect.objectContaining({ code: "INVALID_PROTOBUF" }));
  });
});
