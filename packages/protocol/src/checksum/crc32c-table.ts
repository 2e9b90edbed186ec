/**
 * CRC-32C by tables, sixteen bytes a step, in plain JavaScript: what short input and hosts without WebAssembly use.
 *
 * Table k holds the register after a byte value followed by k zero bytes, so the sixteen bytes of a step are looked up
 * independently of one another and only combined at the end.
 */

const POLYNOMIAL = 0x82f63b78;

/** The sixteen tables one after another, 256 words each. */
export const CRC32C_TABLES: Int32Array = createTables();

function createTables(): Int32Array {
  const tables = new Int32Array(16 * 256);
  for (let byte = 0; byte < 256; byte++) {
    let register = byte;
    for (let bit = 0; bit < 8; bit++) register = register & 1 ? (register >>> 1) ^ POLYNOMIAL : register >>> 1;
    tables[byte] = register;
  }
  for (let i = 256; i < tables.length; i++) {
    const previous = tables[i - 256] as number;
    tables[i] = (previous >>> 8) ^ (tables[previous & 0xff] as number);
  }
  return tables;
}

function tableAfter(zeros: number): Int32Array {
  return CRC32C_TABLES.slice(zeros * 256, (zeros + 1) * 256);
}

// Separate constants: the engine then knows each table's address, which one flat table does not give (about 5 %).
const T0 = tableAfter(0);
const T1 = tableAfter(1);
const T2 = tableAfter(2);
const T3 = tableAfter(3);
const T4 = tableAfter(4);
const T5 = tableAfter(5);
const T6 = tableAfter(6);
const T7 = tableAfter(7);
const T8 = tableAfter(8);
const T9 = tableAfter(9);
const T10 = tableAfter(10);
const T11 = tableAfter(11);
const T12 = tableAfter(12);
const T13 = tableAfter(13);
const T14 = tableAfter(14);
const T15 = tableAfter(15);

/** From this length on making a view for 32-bit reads costs less than it saves. */
const WORDS_FROM = 768;

/**
 * CRC-32C of `buf[start, end)`, going on from the checksum of the bytes before it.
 *
 * @returns the checksum as an unsigned number
 */
export function crc32cByTables(buf: Uint8Array, start: number, end: number, previous: number): number {
  const stop = end - ((end - start) & 15);
  const steps = end - start < WORDS_FROM ? stepsOfBytes : stepsOfWords;
  let crc = steps(buf, start, stop, ~previous);
  for (let at = stop; at < end; at++) crc = (T0[(crc ^ (buf[at] as number)) & 0xff] as number) ^ (crc >>> 8);
  return ~crc >>> 0;
}

function stepsOfBytes(buf: Uint8Array, start: number, stop: number, register: number): number {
  let crc = register;
  for (let at = start; at < stop; at += 16) {
    // The four that need the register of the step before come last.
    crc =
      (T11[buf[at + 4] as number] as number) ^
      (T10[buf[at + 5] as number] as number) ^
      (T9[buf[at + 6] as number] as number) ^
      (T8[buf[at + 7] as number] as number) ^
      (T7[buf[at + 8] as number] as number) ^
      (T6[buf[at + 9] as number] as number) ^
      (T5[buf[at + 10] as number] as number) ^
      (T4[buf[at + 11] as number] as number) ^
      (T3[buf[at + 12] as number] as number) ^
      (T2[buf[at + 13] as number] as number) ^
      (T1[buf[at + 14] as number] as number) ^
      (T0[buf[at + 15] as number] as number) ^
      (T15[(crc ^ (buf[at] as number)) & 0xff] as number) ^
      (T14[((crc >>> 8) ^ (buf[at + 1] as number)) & 0xff] as number) ^
      (T13[((crc >>> 16) ^ (buf[at + 2] as number)) & 0xff] as number) ^
      (T12[((crc >>> 24) ^ (buf[at + 3] as number)) & 0xff] as number);
  }
  return crc;
}

function stepsOfWords(buf: Uint8Array, start: number, stop: number, register: number): number {
  const view = new DataView(buf.buffer, buf.byteOffset, buf.byteLength);
  let crc = register;
  for (let at = start; at < stop; at += 16) {
    const a = view.getInt32(at, true) ^ crc;
    const b = view.getInt32(at + 4, true);
    const c = view.getInt32(at + 8, true);
    const d = view.getInt32(at + 12, true);
    crc =
      (T15[a & 0xff] as number) ^
      (T14[(a >>> 8) & 0xff] as number) ^
      (T13[(a >>> 16) & 0xff] as number) ^
      (T12[a >>> 24] as number) ^
      (T11[b & 0xff] as number) ^
      (T10[(b >>> 8) & 0xff] as number) ^
      (T9[(b >>> 16) & 0xff] as number) ^
      (T8[b >>> 24] as number) ^
      (T7[c & 0xff] as number) ^
      (T6[(c >>> 8) & 0xff] as number) ^
      (T5[(c >>> 16) & 0xff] as number) ^
      (T4[c >>> 24] as number) ^
      (T3[d & 0xff] as number) ^
      (T2[(d >>> 8) & 0xff] as number) ^
      (T1[(d >>> 16) & 0xff] as number) ^
      (T0[d >>> 24] as number);
  }
  return crc;
}
