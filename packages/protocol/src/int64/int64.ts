import { ProtocolError } from "../errors.ts";

/**
 * A signed 64-bit integer in canonical form: a `number` when its magnitude is at most 2^53 - 1, else a `bigint`.
 *
 * Since each value has exactly one form, `===`, `<`, `>` and Map keys work on it as they do on numbers. Unsigned fields
 * of the protocol are read as signed: 2^64 - 1 is -1.
 */
export type Int64 = number | bigint;

/** 2^63 - 1, the largest value, e.g. both ids of the position "latest". */
export const INT64_MAX: Int64 = 9223372036854775807n;

const TWO_32 = 4294967296;
const MAX_SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Canonical form of a value, wrapped to signed 64 bits as the protocol's fields are.
 *
 * @throws ProtocolError `INVALID_ARGUMENT` for a number that is no integer or beyond 2^53 - 1, as it has lost bits already.
 */
export function toInt64(value: bigint | number): Int64 {
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) {
      throw new ProtocolError("INVALID_ARGUMENT", `a 64-bit value must be a safe integer or a bigint, got ${value}`);
    }
    return value === 0 ? 0 : value;
  }
  const signed = BigInt.asIntN(64, value);
  return signed <= MAX_SAFE && signed >= -MAX_SAFE ? Number(signed) : signed;
}

/** The value as a bigint, for users' eyes. */
export function toBigInt(value: Int64): bigint {
  return typeof value === "bigint" ? value : BigInt(value);
}

/** Order of two values as signed numbers: negative, zero or positive. */
export function compareInt64(a: Int64, b: Int64): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Canonical value of two 32-bit halves; only the low 32 bits of each argument count. */
export function int64FromParts(low: number, high: number): Int64 {
  const signedHigh = high | 0;
  if (signedHigh < 0x200000 && signedHigh >= -0x200000) {
    const value = signedHigh * TWO_32 + (low >>> 0);
    if (value >= -Number.MAX_SAFE_INTEGER) return value;
  }
  return (BigInt(signedHigh) << 32n) | BigInt(low >>> 0);
}

/** Low 32 bits of a value, as a signed 32-bit number. */
export function int64Low(value: Int64): number {
  // Bitwise operators take a number modulo 2^32, also a negative or a large one.
  return typeof value === "number" ? value | 0 : Number(BigInt.asIntN(32, value));
}

/** High 32 bits of a value, as a signed 32-bit number. */
export function int64High(value: Int64): number {
  return typeof value === "number"
    ? Math.floor(value / TWO_32) | 0
    : Number(BigInt.asIntN(32, BigInt.asIntN(64, value) >> 32n));
}
