import fc from "fast-check";
import { expect, it } from "vitest";
import { toInt64 } from "../../src/int64/int64.ts";
import { readVarint64, sizeofVarint64, varintCursor, writeVarint64 } from "../../src/int64/varint.ts";
import { fuzzBudget } from "../fuzz-budget.ts";

it("reads back every 64-bit value that it wrote, at any offset", () => {
  const buf = new Uint8Array(32);
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.nat(63), fc.nat(20), (value, shift, pos) => {
      const canonical = toInt64(value >> BigInt(shift));
      const end = writeVarint64(buf, pos, canonical);
      expect(end - pos).toBe(sizeofVarint64(canonical));
      expect(readVarint64(buf, pos, end)).toBe(canonical);
      expect(varintCursor.pos).toBe(end);
    }),
    fuzzBudget(),
  );
});

it("gives a value or a typed error for any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 14 }), (bytes) => {
      try {
        readVarint64(bytes, 0, bytes.length);
        expect(varintCursor.pos).toBeLessThanOrEqual(bytes.length);
      } catch (error) {
        expect(error).toMatchObject({ name: "ProtocolError", code: "INVALID_PROTOBUF" });
      }
    }),
    fuzzBudget(),
  );
});
