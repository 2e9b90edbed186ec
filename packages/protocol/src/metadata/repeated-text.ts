import type { ProtoReader } from "../protobuf/proto-reader.ts";

const MAX_KEPT_BYTES = 256;

/**
 * A reader for a text field that mostly repeats its last value, such as the producer name: it compares the bytes with
 * those it saw last and gives the same string, which is far cheaper than making a new one.
 */
export function readRepeatedText(): (reader: ProtoReader) => string {
  let lastBytes = Buffer.alloc(0);
  let lastText = "";
  return (reader) => {
    const end = reader.fieldEnd();
    const start = reader.pos;
    const { buffer } = reader;
    reader.pos = end;
    if (end - start === lastBytes.length && equals(buffer, start, lastBytes)) return lastText;
    const text = buffer.toString("utf8", start, end);
    if (end - start <= MAX_KEPT_BYTES) {
      lastBytes = Buffer.from(buffer.subarray(start, end));
      lastText = text;
    }
    return text;
  };
}

function equals(buffer: Buffer, start: number, expected: Buffer): boolean {
  for (let i = 0; i < expected.length; i++) if (buffer[start + i] !== expected[i]) return false;
  return true;
}
