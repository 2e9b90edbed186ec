import { crc32cByTables } from "./crc32c-table.ts";
import { type Crc32cFunction, createCrc32cWasm } from "./crc32c-wasm.ts";

/** From this length on copying into the WebAssembly memory pays. */
const WASM_FROM = 192;

let long: Crc32cFunction | undefined;
let plugged: Crc32cFunction | undefined;

/**
 * CRC-32C (Castagnoli) of `buf[start, end)` as Pulsar's frames carry it.
 *
 * Incremental: `crc32c(b2, 0, b2.length, crc32c(b1))` is the checksum of the concatenation.
 *
 * @param previous checksum of the bytes before, default 0 for none
 * @returns the checksum as an unsigned number
 */
export function crc32c(buf: Uint8Array, start = 0, end: number = buf.length, previous = 0): number {
  if (plugged !== undefined) return plugged(buf, start, end, previous);
  if (end - start < WASM_FROM) return crc32cByTables(buf, start, end, previous);
  long ??= createCrc32cWasm() ?? crc32cByTables;
  return long(buf, start, end, previous);
}

/**
 * Puts another implementation (a native one, say) in the place of the built-in ones for the whole process; `undefined`
 * brings the built-in ones back. It must be incremental and return an unsigned number, as {@link crc32c} does.
 */
export function setCrc32c(implementation: Crc32cFunction | undefined): void {
  plugged = implementation;
}
