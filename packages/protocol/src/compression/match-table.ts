const TABLE_BITS = 14;

/**
 * Remembers where a sequence of four bytes was last seen, for finding repetitions while compressing. One table serves
 * all calls: each call gets a range of positions of its own, so that what earlier calls left counts as absent and nothing
 * needs clearing. Not reentrant, which synchronous codecs never need.
 */
export const matchTable: Int32Array = new Int32Array(1 << TABLE_BITS);

/** Positions already given out; entries up to here belong to earlier calls. */
let used = 1;

/** Largest position before the table is cleared and numbering starts anew. */
const POSITION_LIMIT = 0x7fff0000;

/**
 * Starts a call over `length` bytes and returns what to add to an offset in them to get its position. An entry less than
 * the returned base is from before.
 */
export function reserveMatchPositions(length: number): number {
  if (used + length > POSITION_LIMIT) {
    matchTable.fill(0);
    used = 1;
  }
  const base = used;
  used += length;
  return base;
}

/**
 * Slot of a sequence of four bytes. A short input uses a part of the table only, which stays in the processor's cache.
 *
 * @param shift see {@link matchShift}
 */
export function matchSlot(sequence: number, shift: number): number {
  return Math.imul(sequence, 0x9e3779b1) >>> shift;
}

/** Shift for {@link matchSlot} for an input of `length` bytes: more bytes, more slots. */
export function matchShift(length: number): number {
  return length < 4096 ? 32 - 11 : 32 - TABLE_BITS;
}
