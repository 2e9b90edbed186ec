import { describe, expect, it } from "vitest";
import { ProtocolError } from "../../src/errors.ts";
import {
  compareInt64,
  INT64_MAX,
  int64FromParts,
  int64High,
  int64Low,
  toBigInt,
  toInt64,
} from "../../src/int64/int64.ts";
import { readVarint64, sizeofVarint64, varintCursor, writeVarint64 } from "../../src/int64/varint.ts";

const edges: readonly bigint[] = [
  0n,
  1n,
  127n,
  128n,
  16383n,
  16384n,
  2n ** 21n,
  2n ** 28n - 1n,
  2n ** 28n,
  2n ** 31n - 1n,
  2n ** 31n,
  2n ** 32n - 1n,
  2n ** 32n,
  2n ** 35n,
  2n ** 42n - 1n,
  2n ** 42n,
  2n ** 49n,
  2n ** 53n - 1n,
  2n ** 53n,
  2n ** 53n + 1n,
  2n ** 56n - 1n,
  2n ** 56n,
  2n ** 60n,
  2n ** 63n - 1n,
  -1n,
  -2n,
  -(2n ** 31n),
  -(2n ** 32n),
  -(2n ** 53n) + 1n,
  -(2n ** 53n),
  -(2n ** 53n) - 1n,
  -(2n ** 63n),
];

/** Varint by definition: seven bits a byte of the value as unsigned 64 bits. */
function referenceVarint(value: bigint): number[] {
  let rest = BigInt.asUintN(64, value);
  const bytes: number[] = [];
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return bytes;
}

describe("Int64", () => {
  it.each(edges)("keeps %s exactly and in its one canonical form", (value) => {
    const canonical = toInt64(value);
    expect(toBigInt(canonical)).toBe(value);
    expect(typeof canonical).toBe(value <= 2n ** 53n - 1n && value >= -(2n ** 53n) + 1n ? "number" : "bigint");
    expect(int64FromParts(int64Low(canonical), int64High(canonical))).toBe(canonical);
  });

  it("reads unsigned 64-bit values as signed", () => {
    expect(toInt64(2n ** 64n - 1n)).toBe(-1);
    expect(toInt64(2n ** 63n - 1n)).toBe(INT64_MAX);
    expect(toInt64(2n ** 63n)).toBe(-(2n ** 63n));
  });

  it("orders numbers and bigints as signed numbers", () => {
    const sorted = [...edges].sort((a, b) => (a < b ? -1 : 1));
    const canonical = edges.map(toInt64).sort(compareInt64).map(toBigInt);
    expect(canonical).toEqual(sorted);
    expect(compareInt64(toInt64(5n), 5)).toBe(0);
  });

  it.each([1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
    "refuses the number %s, which has lost bits",
    (value) => {
      expect(() => toInt64(value)).toThrow(ProtocolError);
    },
  );

  it("has no negative zero", () => {
    expect(Object.is(toInt64(-0), 0)).toBe(true);
  });
});

describe("varint64", () => {
  it.each(edges)("writes and reads %s as other encoders do", (value) => {
    const bytes = referenceVarint(value);
    const buf = new Uint8Array(bytes.length + 2).fill(0xee);
    const canonical = toInt64(value);
    expect(writeVarint64(buf, 1, canonical)).toBe(1 + bytes.length);
    expect([...buf]).toEqual([0xee, ...bytes, 0xee]);
    expect(sizeofVarint64(canonical)).toBe(bytes.length);
    expect(readVarint64(buf, 1, buf.length)).toBe(canonical);
    expect(varintCursor.pos).toBe(1 + bytes.length);
  });

  it.each(edges)("refuses %s cut short anywhere, without reading past the end", (value) => {
    const bytes = Uint8Array.from(referenceVarint(value));
    for (let end = 0; end < bytes.length; end++) {
      expect(() => readVarint64(bytes, 0, end)).toThrow(
        expect.objectContaining({ code: "INVALID_PROTOBUF", offset: 0 }),
      );
    }
  });

  it("refuses an eleventh byte", () => {
    const bytes = new Uint8Array(11).fill(0x80);
    bytes[10] = 1;
    expect(() => readVarint64(bytes, 0, 11)).toThrow("longer than ten bytes");
  });

  it("reads a value padded with empty groups", () => {
    expect(readVarint64(Uint8Array.from([0x85, 0x80, 0x80, 0x80, 0x80, 0x00]), 0, 6)).toBe(5);
    expect(varintCursor.pos).toBe(6);
  });
});
