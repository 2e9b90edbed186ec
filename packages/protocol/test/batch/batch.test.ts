import { describe, expect, it } from "vitest";
import { BatchReader } from "../../src/batch/batch-reader.ts";
import { BatchWriter } from "../../src/batch/batch-writer.ts";
import { refusalOf } from "../refusal.ts";

function pack(count: number): Buffer {
  const writer = new BatchWriter(16);
  for (let i = 0; i < count; i++) {
    writer.add({ sequenceId: i, partitionKey: `key-${i}`, properties: [{ key: "k", value: "v" }] }, Buffer.alloc(i, i));
  }
  return Buffer.from(writer.bytes());
}

/** Reads all messages of a batch. */
function unpack(container: Uint8Array, numMessages: number): number[] {
  const reader = new BatchReader(container, numMessages);
  const sizes: number[] = [];
  while (reader.next() !== undefined) sizes.push(reader.payload().length);
  return sizes;
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex.replaceAll(" ", ""), "hex");
}

describe("a batch", () => {
  it("tells its count and size while it grows", () => {
    const writer = new BatchWriter();
    expect([writer.count, writer.sizeBytes]).toEqual([0, 0]);
    writer.add({}, Buffer.alloc(10));
    expect([writer.count, writer.sizeBytes]).toEqual([1, 16]);
    writer.add({}, Buffer.alloc(100_000));
    expect([writer.count, writer.sizeBytes]).toEqual([2, 16 + 4 + 4 + 100_000]);
  });

  it("of no messages is empty", () => {
    expect(unpack(new BatchWriter().bytes(), 0)).toEqual([]);
  });

  it("may hold messages without payload", () => {
    expect(unpack(bytes("00000002 1800 00000002 1800"), 2)).toEqual([0, 0]);
  });

  it("counts messages from 0 as they are read", () => {
    const reader = new BatchReader(pack(2), 2);
    const indexes = [reader.index];
    while (reader.next() !== undefined) indexes.push(reader.index);
    expect(indexes).toEqual([-1, 0, 1]);
  });
});

describe("a malformed batch", () => {
  it("is refused when it is cut off at any byte", () => {
    const container = pack(5);
    expect(unpack(container, 5)).toEqual([0, 1, 2, 3, 4]);
    for (let length = 0; length < container.length; length++) {
      // A copy: a read past the end must not find the bytes that were cut off.
      const cut = Buffer.from(Uint8Array.prototype.slice.call(container, 0, length));
      expect(refusalOf(() => unpack(cut, 5)).code).toBe("INVALID_BATCH");
    }
  });

  it.each([
    ["more messages than it holds", 6],
    ["an absurd count", 2 ** 31 - 1],
    ["a negative count", -1],
    ["a fraction", 1.5],
    ["no number", Number.NaN],
    ["an infinite count", Number.POSITIVE_INFINITY],
  ])("is refused with %s", (_, count) => {
    expect(refusalOf(() => unpack(pack(5), count)).code).toBe("INVALID_BATCH");
  });

  it.each([
    ["a metadata size above the rest", "00000003 1800"],
    ["a negative metadata size", "ffffffff 1800"],
    ["a payload size above the rest", "00000002 1805 01020304"],
    ["a negative payload size", "0000000b 18ffffffffffffffffff01"],
    ["a payload size beyond 32 bits whose low bits are negative", "00000006 18ffffffff0f 00"],
    ["metadata without payload size", "00000002 4001"],
    ["metadata of no bytes", "00000000 0000"],
    ["metadata whose last field leaves it", "00000002 1880 00000000"],
    ["a property that leaves its metadata", "00000006 0a0f 0a01 1800"],
    ["a property without value", "00000007 0a03 0a0161 1800"],
  ])("is refused with %s", (_, hex) => {
    const refusal = refusalOf(() => unpack(bytes(hex), 1));
    expect(refusal.code).toBe("INVALID_BATCH");
    expect(refusal.offset).toBeGreaterThanOrEqual(0);
  });

  it("gives the messages before the malformation", () => {
    const container = pack(3);
    const reader = new BatchReader(container.subarray(0, container.length - 1), 3);
    expect(reader.next()).toBeDefined();
    expect(reader.next()).toBeDefined();
    expect(refusalOf(() => reader.next()).code).toBe("INVALID_BATCH");
    expect(reader.index).toBe(1);
  });
});
