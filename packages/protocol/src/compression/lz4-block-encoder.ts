import { matchShift, matchSlot, matchTable, reserveMatchPositions } from "./match-table.ts";
import { copyOut, scratchOf } from "./scratch.ts";

const MIN_MATCH = 4;
/** The format ends with at least five literals ... */
const LAST_LITERALS = 5;
/** ... and starts its last match at least twelve bytes before the end. */
const MATCH_START_LIMIT = 12;
const MAX_DISTANCE = 65535;

/** Most bytes that a block of `size` input bytes can take. */
function compressBound(size: number): number {
  return size + Math.floor(size / 255) + 16;
}

/**
 * Compresses to one raw LZ4 block: no frame, no size prefix, as Pulsar's clients write it.
 *
 * A sequence: token (literal count, match length - 4: four bits each, 15 = more bytes follow), more literal count,
 * literals, distance (2 bytes, little-endian), more match length. The last sequence ends after its literals.
 */
export function compressLz4Block(input: Uint8Array): Uint8Array {
  const length = input.length;
  const output = scratchOf(compressBound(length));
  const base = reserveMatchPositions(length);
  const shift = matchShift(length);
  const lastStart = length - MATCH_START_LIMIT;
  const matchLimit = length - LAST_LITERALS;
  let anchor = 0;
  let at = 0;
  let out = 0;
  // The longer nothing repeats, the larger the steps: data that does not compress is passed over quickly.
  let misses = 1 << 6;
  while (at <= lastStart) {
    const sequence =
      (input[at] as number) |
      ((input[at + 1] as number) << 8) |
      ((input[at + 2] as number) << 16) |
      ((input[at + 3] as number) << 24);
    const slot = matchSlot(sequence, shift);
    let candidate = (matchTable[slot] as number) - base;
    matchTable[slot] = at + base;
    if (candidate < 0 || at - candidate > MAX_DISTANCE || !sameFour(input, candidate, sequence)) {
      at += misses++ >> 6;
      continue;
    }
    misses = 1 << 6;
    while (at > anchor && candidate > 0 && input[at - 1] === input[candidate - 1]) {
      at--;
      candidate--;
    }
    let end = at + MIN_MATCH;
    for (let from = candidate + MIN_MATCH; end < matchLimit && input[end] === input[from]; from++) end++;
    out = writeLiterals(input, anchor, at, output, out, end - at - MIN_MATCH);
    const distance = at - candidate;
    output[out++] = distance & 255;
    output[out++] = distance >>> 8;
    if (end - at - MIN_MATCH >= 15) out = writeMore(output, out, end - at - MIN_MATCH - 15);
    at = end;
    anchor = end;
  }
  out = writeLiterals(input, anchor, length, output, out, 0);
  return copyOut(output, out);
}

function sameFour(input: Uint8Array, at: number, sequence: number): boolean {
  return (
    ((input[at] as number) |
      ((input[at + 1] as number) << 8) |
      ((input[at + 2] as number) << 16) |
      ((input[at + 3] as number) << 24)) ===
    sequence
  );
}

/** Writes the token, the literal count and the literals of a sequence; returns the offset after them. */
function writeLiterals(
  input: Uint8Array,
  from: number,
  to: number,
  output: Uint8Array,
  start: number,
  matchCode: number,
): number {
  const count = to - from;
  const low = Math.min(matchCode, 15);
  let out = start;
  if (count < 15) {
    output[out++] = (count << 4) | low;
  } else {
    output[out++] = 0xf0 | low;
    out = writeMore(output, out, count - 15);
  }
  if (count > 48) {
    output.set(input.subarray(from, to), out);
    return out + count;
  }
  for (let i = from; i < to; i++) output[out++] = input[i] as number;
  return out;
}

/** Writes a count beyond 15 as bytes of 255 and a last smaller one. */
function writeMore(output: Uint8Array, start: number, count: number): number {
  let out = start;
  let rest = count;
  for (; rest >= 255; rest -= 255) output[out++] = 255;
  output[out++] = rest;
  return out;
}
