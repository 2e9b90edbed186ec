import { describe, expect, it } from "vitest";
import { ProtoReader } from "../../src/protobuf/proto-reader.ts";
import { ProtoWriter } from "../../src/protobuf/proto-writer.ts";
import { refusalOf } from "../refusal.ts";

function written(write: (writer: ProtoWriter) => void, capacityBytes = 1): Buffer {
  const writer = new ProtoWriter(capacityBytes);
  write(writer);
  return Buffer.from(writer.buffer.subarray(0, writer.pos));
}

function reader(bytes: Uint8Array): ProtoReader {
  return new ProtoReader().reset(bytes, 0, bytes.length);
}

describe("a written value", () => {
  it.each([0, 1, 127, 128, 16_383, 16_384, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1])("reads back as uint32: %d", (value) => {
    expect(reader(written((writer) => writer.uint32(value))).uint32()).toBe(value);
  });

  it.each([0, 1, -1, 127, 128, 2 ** 31 - 1, -(2 ** 31)])("reads back as int32: %d", (value) => {
    const bytes = written((writer) => writer.int32Field(0x08, value));
    expect(bytes).toHaveLength(value < 0 ? 11 : bytes.length);
    expect(reader(bytes.subarray(1)).int32()).toBe(value);
  });

  // Lengths around what one byte of length holds, and where the short way ends.
  it.each([0, 1, 12, 13, 41, 42, 43, 126, 127, 128, 129, 5000])("reads back as text of %d units", (length) => {
    for (const unit of ["a", "é", "€", "😀"]) {
      const text = unit
        .repeat(length)
        .slice(0, length)
        .replace(/[\ud800-\udbff]$/, "");
      const bytes = written((writer) => writer.stringField(0x0a, text));
      expect(reader(bytes.subarray(1)).string()).toBe(text);
      expect(bytes.subarray(bytes.length - Buffer.byteLength(text)).toString()).toBe(text);
    }
  });

  it("has an unpaired surrogate replaced, as UTF-8 cannot hold one", () => {
    const bytes = written((writer) => writer.stringField(0x0a, "a\ud800b"));
    expect(reader(bytes.subarray(1)).string()).toBe("a\ufffdb");
  });

  it.each([0, 1, 127, 128, 16_383, 16_384, 2_097_151, 2_097_152])("may nest in a message of %d bytes", (length) => {
    const bytes = written((writer) => {
      const mark = writer.begin(0x0a);
      writer.bytes(Buffer.alloc(length, 5));
      writer.end(mark);
      writer.boolField(0x10, true);
    });
    const nested = reader(bytes);
    expect(nested.uint32()).toBe(0x0a);
    const outer = nested.enter();
    expect(nested.end - nested.pos).toBe(length);
    expect(bytes.subarray(nested.pos, nested.end).every((byte) => byte === 5)).toBe(true);
    nested.pos = nested.end;
    nested.leave(outer);
    expect([nested.uint32(), nested.bool(), nested.pos]).toEqual([0x10, true, bytes.length]);
  });
});

describe("a reader", () => {
  it("never reads past its end, though the buffer goes on", () => {
    const bytes = Buffer.from([0x80, 0x01, 0x02]);
    expect(refusalOf(() => new ProtoReader().reset(bytes, 0, 1).uint32()).code).toBe("INVALID_PROTOBUF");
    expect(refusalOf(() => new ProtoReader().reset(bytes, 2, 2).int64()).code).toBe("INVALID_PROTOBUF");
    expect(refusalOf(() => new ProtoReader().reset(Buffer.from([2, 1, 1]), 0, 2).bytes()).code).toBe(
      "INVALID_PROTOBUF",
    );
  });

  it("gives bytes as views", () => {
    const bytes = Buffer.from([2, 1, 2]);
    const view = reader(bytes).bytes();
    bytes[1] = 9;
    expect([...view]).toEqual([9, 2]);
  });

  it("skips groups inside groups", () => {
    const group = Buffer.from("0b130801120141141c", "hex");
    const nested = reader(Buffer.from("0b13080112014114 0c 1005".replaceAll(" ", ""), "hex"));
    nested.skip(nested.uint32());
    expect(nested.uint32()).toBe(0x10);
    expect(refusalOf(() => reader(group).skip(0x0b)).code).toBe("INVALID_PROTOBUF");
  });

  it("refuses groups that nest without end", () => {
    const deep = reader(Buffer.alloc(100, 0x0b));
    expect(refusalOf(() => deep.skip(0x0b)).reason).toBe("groups nested too deep");
  });
});
