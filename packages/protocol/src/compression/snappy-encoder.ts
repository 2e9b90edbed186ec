import { matchShift, matchSlot, matchTable, reserveMatchPositions } from "./match-table.ts";
import { copyOut, scratchOf } from "./scratch.ts";

const MIN_MATCH = 4;
/** Copies are written with distances of at most two bytes, as the reference encoder does. */
const MAX_DISTANCE = 65535;
const MAX_COPY = 64;

/** Most bytes that an input of `size` bytes can take. */
function compressBound(size: number): number {
  return 32 + size + Math.floor(size / 6);
}

/**
 * Compresses to a raw Snappy block (length first, no framing), as Pulsar's clients write it.
 *
 * | element | tag byte | follows |
 * | --- | --- | --- |
 * | literal | `(count - 1) << 2`, or 60 to 63 `<< 2` for 1 to 4 more count bytes | count bytes, literals |
 * | copy of 4 to 11, distance under 2048 | `1 \| (count - 4) << 2 \| distance >> 8 << 5` | 1 byte distance |
 * | copy of 1 to 64 | `2 \| (count - 1) << 2` | 2 bytes distance |
 */
export function compressSnappy(input: Uint8Array): Uint8Array {
  const length = input.length;
  const output = scratchOf(compressBound(length));
  let out = writeLength(output, length);
  const base = reserveMatchPositions(length);
  const shift = matchShift(length);
  const lastStart = length - MIN_MATCH;
  let anchor = 0;
  let at = 0;
  // The longer nothing repeats, the larger the steps.
  let misses = 1 << 5;
  while (at <= lastStart) {
    const sequence = fourAt(input, at);
    const slot = matchSlot(sequence, shift);
    const candidate = (matchTable[slot] as number) - base;
    matchTable[slot] = at + base;
    if (candidate < 0 || at - candidate > MAX_DISTANCE || fourAt(input, candidate) !== sequence) {
      at += misses++ >> 5;
      continue;
    }
    misses = 1 << 5;
    let end = at + MIN_MATCH;
    for (let from = candidate + MIN_MATCH; end < length && input[end] === input[from]; from++) end++;
    if (at > anchor) out = writeLiterals(input, anchor, at, output, out);
    out = writeCopies(output, out, at - candidate, end - at);
    at = end;
    anchor = end;
  }
  if (length > anchor) out = writeLiterals(input, anchor, length, output, out);
  return copyOut(output, out);
}

function fourAt(input: Uint8Array, at: number): number {
  return (
    (input[at] as number) |
    ((input[at + 1] as number) << 8) |
    ((input[at + 2] as number) << 16) |
    ((input[at + 3] as number) << 24)
  );
}

function writeLength(output: Uint8Array, length: number): number {
  let out = 0;
  let rest = length;
  for (; rest > 127; rest >>>= 7) output[out++] = (rest & 127) | 128;
  output[out++] = rest;
  return out;
}

function writeLiterals(input: Uint8Array, from: number, to: number, output: Uint8Array, start: number): number {
  const code = to - from - 1;
  let out = start;
  if (code < 60) {
    output[out++] = code << 2;
  } else {
    const bytes = code < 0x100 ? 1 : code < 0x10000 ? 2 : code < 0x1000000 ? 3 : 4;
    output[out++] = (59 + bytes) << 2;
    for (let i = 0; i < bytes; i++) output[out++] = (code >>> (8 * i)) & 255;
  }
  if (code > 48) {
    output.set(input.subarray(from, to), out);
    return out + to - from;
  }
  for (let i = from; i < to; i++) output[out++] = input[i] as number;
  return out;
}

function writeCopies(output: Uint8Array, start: number, distance: number, count: number): number {
  let out = start;
  let rest = count;
  while (rest > MAX_COPY) {
    // Leaves at least four, so that the last piece may take the short form.
    const piece = rest < MAX_COPY + MIN_MATCH ? MAX_COPY - MIN_MATCH : MAX_COPY;
    out = writeCopy(output, out, distance, piece);
    rest -= piece;
  }
  return writeCopy(output, out, distance, rest);
}

function writeCopy(output: Uint8Array, start: number, distance: number, count: number): number {
  let out = start;
  if (count >= 4 && count <= 11 && distance < 2048) {
    output[out++] = 1 | ((count - 4) << 2) | ((distance >>> 8) << 5);
  } else {
    output[out++] = 2 | ((count - 1) << 2);
    output[out + 1] = distance >>> 8;
    output[out] = distance & 255;
    return out + 2;
  }
  output[out++] = distance & 255;
  return out;
}
