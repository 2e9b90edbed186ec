// Plain stores and loads: the methods of Buffer check their arguments on each call, which is most of their cost here, where
// every offset has been checked already.

/** Up to this length a loop costs less than a call into the runtime. */
const LOOP_UP_TO = 96;

/** Writes an unsigned 32-bit number, big endian. */
export function writeUint32(buffer: Uint8Array, pos: number, value: number): void {
  buffer[pos] = value >>> 24;
  buffer[pos + 1] = value >>> 16;
  buffer[pos + 2] = value >>> 8;
  buffer[pos + 3] = value;
}

/** Reads an unsigned 32-bit number, big endian. The caller has checked that its four bytes are there. */
export function readUint32(buffer: Uint8Array, pos: number): number {
  return (
    (((buffer[pos] as number) << 24) |
      ((buffer[pos + 1] as number) << 16) |
      ((buffer[pos + 2] as number) << 8) |
      (buffer[pos + 3] as number)) >>>
    0
  );
}

/** Copies `source[start, end)` to `target` at `pos`. */
export function copyBytes(source: Buffer, start: number, end: number, target: Uint8Array, pos: number): void {
  if (end - start > LOOP_UP_TO) {
    source.copy(target, pos, start, end);
    return;
  }
  const shift = pos - start;
  for (let at = start; at < end; at++) target[at + shift] = source[at] as number;
}
