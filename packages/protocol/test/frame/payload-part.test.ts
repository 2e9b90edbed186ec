import { describe, expect, it } from "vitest";
import { readPayloadPart, verifyChecksum } from "../../src/frame/payload-part.ts";
import { refusalOf } from "../refusal.ts";

function bytes(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(" ", ""), "hex");
}

function read(hex: string): ReturnType<typeof readPayloadPart> {
  const buffer = bytes(hex);
  return readPayloadPart(buffer, 0, buffer.length);
}

describe("a payload part", () => {
  it("may have no checksum", () => {
    expect(read("00000001 aa bbcc")).toEqual({
      brokerEntryMetadataStart: -1,
      brokerEntryMetadataEnd: -1,
      checksum: undefined,
      checksumStart: 0,
      metadataStart: 4,
      metadataEnd: 5,
      end: 7,
    });
  });

  it("may have broker entry metadata before its checksum", () => {
    expect(read("0e02 00000002 0801 0e01 11223344 00000001 aa")).toMatchObject({
      brokerEntryMetadataStart: 6,
      brokerEntryMetadataEnd: 8,
      checksum: 0x11223344,
      checksumStart: 14,
      metadataStart: 18,
      metadataEnd: 19,
      end: 19,
    });
  });

  it("may have metadata and payload of no bytes", () => {
    expect(read("00000000")).toMatchObject({ metadataStart: 4, metadataEnd: 4, end: 4 });
  });

  it.each([
    ["nothing", "", "FRAME_TRUNCATED"],
    ["half a magic number", "0e", "FRAME_TRUNCATED"],
    ["a checksum that is cut off", "0e01 112233", "FRAME_TRUNCATED"],
    ["nothing after the checksum", "0e01 11223344", "FRAME_TRUNCATED"],
    ["half a metadata size", "000000", "FRAME_TRUNCATED"],
    ["metadata that runs past the end", "00000003 aabb", "INVALID_SIZE"],
    ["a negative metadata size", "ffffffff aabb", "INVALID_SIZE"],
    ["broker entry metadata that runs past the end", "0e02 00000009 aabb", "INVALID_SIZE"],
    ["nothing after the broker entry metadata", "0e02 00000001 aa", "FRAME_TRUNCATED"],
    ["broker entry metadata twice", "0e02 00000001 aa 0e02 00000001 aa 00000000", "INVALID_MAGIC"],
  ])("is refused with %s", (_, hex, code) => {
    expect(refusalOf(() => read(hex)).code).toBe(code);
  });

  it("is refused when one bit of it changes under the checksum", () => {
    // CRC32-C of 00000000 is 48674bc7.
    const buffer = bytes("0e01 48674bc7 00000000");
    verifyChecksum(buffer, readPayloadPart(buffer, 0, buffer.length));
    const more = bytes("0e01 48674bc7 00000000 00");
    expect(refusalOf(() => verifyChecksum(more, readPayloadPart(more, 0, more.length)))).toMatchObject({
      code: "CHECKSUM_MISMATCH",
      offset: 6,
    });
  });
});
