/** Output up to this size is built in memory that is kept. */
const KEPT_LIMIT = 1024 * 1024;

let kept: Uint8Array = new Uint8Array(0);

/**
 * Room for building the output of one synchronous call, at least `size` bytes with any content. Valid until the next
 * call; copy the result out.
 */
export function scratchOf(size: number): Uint8Array {
  if (size > KEPT_LIMIT) return Buffer.allocUnsafeSlow(size);
  if (kept.length < size) kept = Buffer.allocUnsafeSlow(Math.min(KEPT_LIMIT, Math.max(65536, size * 2)));
  return kept;
}

/** A copy of the first `size` bytes of a scratch buffer, owned by the caller. */
export function copyOut(scratch: Uint8Array, size: number): Uint8Array {
  const output = Buffer.allocUnsafe(size);
  output.set(scratch.subarray(0, size));
  return output;
}
