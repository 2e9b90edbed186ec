import type { Int64 } from "../int64/int64.ts";
import { writeVarint64 } from "../int64/varint.ts";

/**
 * Writes protobuf fields into one growing buffer: the base of the hand-written codecs.
 *
 * Fields are given by their tag, (field number << 3) | wire type, and are written in the order of the calls; the codecs
 * call in ascending field order, as all clients write. Nested messages are written between {@link begin} and
 * {@link end}.
 */
export class ProtoWriter {
  /** The bytes written so far are those before `pos`. */
  buffer: Buffer;
  pos = 0;

  /** @param memory bytes to begin with, or how many to allocate */
  constructor(memory: number | Buffer) {
    this.buffer = typeof memory === "number" ? Buffer.allocUnsafeSlow(memory) : memory;
  }

  /** Makes room for `bytes` more bytes. */
  ensure(bytes: number): void {
    if (this.pos + bytes > this.buffer.length) this.#grow(bytes);
  }

  #grow(bytes: number): void {
    const larger = Buffer.allocUnsafeSlow(Math.max(this.buffer.length * 2, this.pos + bytes));
    this.buffer.copy(larger, 0, 0, this.pos);
    this.buffer = larger;
  }

  /** A tag or an unsigned 32-bit value, without a tag of its own. */
  uint32(value: number): void {
    this.ensure(5);
    const buffer = this.buffer;
    let rest = value >>> 0;
    let pos = this.pos;
    while (rest > 0x7f) {
      buffer[pos++] = (rest & 0x7f) | 0x80;
      rest >>>= 7;
    }
    buffer[pos++] = rest;
    this.pos = pos;
  }

  uint32Field(tag: number, value: number): void {
    this.uint32(tag);
    this.uint32(value);
  }

  /** int32 and enum fields: a negative value takes ten bytes. */
  int32Field(tag: number, value: number): void {
    if (value < 0) this.int64Field(tag, value);
    else this.uint32Field(tag, value);
  }

  int64Field(tag: number, value: Int64): void {
    this.uint32(tag);
    this.ensure(10);
    this.pos = writeVarint64(this.buffer, this.pos, value);
  }

  boolField(tag: number, value: boolean): void {
    this.uint32(tag);
    this.ensure(1);
    this.buffer[this.pos++] = value ? 1 : 0;
  }

  bytesField(tag: number, value: Uint8Array): void {
    this.uint32(tag);
    this.uint32(value.length);
    this.bytes(value);
  }

  /** Raw bytes, without tag or length. */
  bytes(value: Uint8Array): void {
    this.ensure(value.length);
    this.buffer.set(value, this.pos);
    this.pos += value.length;
  }

  stringField(tag: number, value: string): void {
    this.uint32(tag);
    const length = value.length;
    this.ensure(length * 3 + 5);
    // Up to 42 UTF-16 units take at most 126 bytes of UTF-8, so the length is one byte whatever the text.
    if (length <= 42) {
      const start = this.pos + 1;
      const end = writeAscii(this.buffer, start, value);
      const written = end === start + length ? length : this.buffer.write(value, start, "utf8");
      this.buffer[this.pos] = written;
      this.pos = start + written;
      return;
    }
    const written = Buffer.byteLength(value);
    this.uint32(written);
    this.buffer.write(value, this.pos, "utf8");
    this.pos += written;
  }

  /** Opens a nested message: writes its tag and leaves one byte for its length. Returns the mark for {@link end}. */
  begin(tag: number): number {
    this.uint32(tag);
    this.ensure(1);
    this.pos++;
    return this.pos;
  }

  /** Closes a nested message: fills in its length, moving the content when the length needs more than one byte. */
  end(mark: number): void {
    const length = this.pos - mark;
    if (length < 0x80) {
      this.buffer[mark - 1] = length;
      return;
    }
    const extra = length < 0x4000 ? 1 : length < 0x200000 ? 2 : length < 0x10000000 ? 3 : 4;
    this.ensure(extra);
    this.buffer.copyWithin(mark + extra, mark, this.pos);
    this.pos = mark - 1;
    this.uint32(length);
    this.pos += length;
  }
}

/** Writes the text while it is ASCII and returns the offset where it stopped. */
function writeAscii(buffer: Buffer, start: number, value: string): number {
  let pos = start;
  for (let i = 0; i < value.length; i++) {
    const unit = value.charCodeAt(i);
    if (unit > 0x7f) break;
    buffer[pos++] = unit;
  }
  return pos;
}
