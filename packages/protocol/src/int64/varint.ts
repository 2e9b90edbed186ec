import { ProtocolError } from "../errors.ts";
import { type Int64, int64FromParts, int64High, int64Low } from "./int64.ts";

const TWO_28 = 0x10000000;
const TWO_35 = 0x800000000;
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);

/**
 * Where the last {@link readVarint64} stopped: the offset of the byte after the value. Read it right after the call.
 * One shared object instead of a returned pair, so that reading a field allocates nothing.
 */
export const varintCursor: { pos: number } = { pos: 0 };

/**
 * Reads a protobuf varint of up to 64 bits as a signed value and leaves the offset after it in {@link varintCursor}.
 * Bits above the 64th are dropped, as other decoders do.
 *
 * @param end offset after the last byte that may be read
 * @throws ProtocolError `INVALID_PROTOBUF` when the value reaches `end` or takes more than ten bytes.
 */
export function readVarint64(buf: Uint8Array, pos: number, end: number): Int64 {
  if (pos < end) {
    const byte = buf[pos] as number;
    if (byte < 0x80) {
      varintCursor.pos = pos + 1;
      return byte;
    }
  }
  return readLong(buf, pos, end);
}

function readLong(buf: Uint8Array, start: number, end: number): Int64 {
  let pos = start;
  let byte = 0;
  let low = 0;
  for (let shift = 0; shift < 28; shift += 7) {
    if (pos >= end) throw truncated(start);
    byte = buf[pos++] as number;
    low |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      varintCursor.pos = pos;
      return low;
    }
  }
  let middle = 0;
  for (let shift = 0; shift < 28; shift += 7) {
    if (pos >= end) throw truncated(start);
    byte = buf[pos++] as number;
    middle |= (byte & 0x7f) << shift;
    if (byte < 0x80) {
      varintCursor.pos = pos;
      return middle < 0x2000000 ? middle * TWO_28 + low : int64FromParts(low | (middle << 28), middle >>> 4);
    }
  }
  if (pos >= end) throw truncated(start);
  byte = buf[pos++] as number;
  let high = byte & 0x7f;
  if (byte >= 0x80) {
    if (pos >= end) throw truncated(start);
    byte = buf[pos++] as number;
    if (byte >= 0x80) throw new ProtocolError("INVALID_PROTOBUF", "varint longer than ten bytes", { offset: start });
    high |= (byte & 1) << 7;
  }
  varintCursor.pos = pos;
  return int64FromParts(low | (middle << 28), (middle >>> 4) | (high << 24));
}

function truncated(offset: number): ProtocolError {
  return new ProtocolError("INVALID_PROTOBUF", "varint runs past the end", { offset });
}

/**
 * Writes a value as a protobuf varint and returns the offset after it. Negative values take ten bytes. The caller has
 * made room: see {@link sizeofVarint64}.
 */
export function writeVarint64(buf: Uint8Array, pos: number, value: Int64): number {
  if (typeof value === "number" && value >= 0) {
    let rest = value;
    let at = pos;
    // Past 2^31 bitwise operators would wrap, so the upper part is peeled off by division.
    if (rest >= 0x80000000) {
      const high = Math.floor(rest / TWO_28);
      let low = rest - high * TWO_28;
      for (let i = 0; i < 4; i++) {
        buf[at++] = (low & 0x7f) | 0x80;
        low >>>= 7;
      }
      rest = high;
    }
    while (rest > 0x7f) {
      buf[at++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    buf[at++] = rest;
    return at;
  }
  // A small bigint is not canonical, yet it must not be written wrong.
  if (typeof value === "bigint" && value >= 0n && value <= SAFE) return writeVarint64(buf, pos, Number(value));
  return writeWide(buf, pos, int64Low(value), int64High(value));
}

function writeWide(buf: Uint8Array, pos: number, low: number, high: number): number {
  let at = pos;
  let rest = low >>> 0;
  for (let i = 0; i < 4; i++) {
    buf[at++] = (rest & 0x7f) | 0x80;
    rest >>>= 7;
  }
  // Four bits of the low half are left; the high half joins them from bit 4 on.
  let upper = high >>> 0;
  const fifth = rest | ((upper & 0x07) << 4);
  upper >>>= 3;
  if (upper === 0) {
    buf[at++] = fifth;
    return at;
  }
  buf[at++] = fifth | 0x80;
  while (upper > 0x7f) {
    buf[at++] = (upper & 0x7f) | 0x80;
    upper >>>= 7;
  }
  buf[at++] = upper;
  return at;
}

/** Bytes that {@link writeVarint64} takes for a value: 1 to 10. */
export function sizeofVarint64(value: Int64): number {
  if (typeof value === "number") {
    if (value < 0) return 10;
    if (value < 0x80) return 1;
    if (value < 0x4000) return 2;
    if (value < 0x200000) return 3;
    if (value < TWO_28) return 4;
    if (value < TWO_35) return 5;
    if (value < 0x40000000000) return 6;
    return value < 0x2000000000000 ? 7 : 8;
  }
  if (value < 0n) return 10;
  if (value <= SAFE) return sizeofVarint64(Number(value));
  return value < 0x100000000000000n ? 8 : value < 0x8000000000000000n ? 9 : 10;
}
