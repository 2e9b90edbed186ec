import { ProtocolError } from "../errors.ts";
import type { Int64 } from "../int64/int64.ts";
import { readVarint64, varintCursor } from "../int64/varint.ts";

/**
 * Reads protobuf fields from a range of a buffer: the base of the hand-written codecs.
 *
 * One reader is reused for many messages ({@link reset}); strings are made, bytes are views. Whatever the bytes, it
 * never reads past `end` and throws ProtocolError `INVALID_PROTOBUF`.
 */
export class ProtoReader {
  buffer: Buffer = Buffer.alloc(0);
  pos = 0;
  end = 0;

  reset(buffer: Uint8Array, start: number, end: number): this {
    this.buffer = asBuffer(buffer);
    this.pos = start;
    this.end = end;
    return this;
  }

  /** A tag: (field number << 3) | wire type. It has 32 bits at the most. */
  tag(): number {
    if (this.pos < this.end) {
      const byte = this.buffer[this.pos] as number;
      if (byte < 0x80) {
        this.pos++;
        return byte;
      }
    }
    return this.#strictVarint(0x0f, "tag");
  }

  /** An unsigned 32-bit varint; longer ones are cut to 32 bits, as other decoders do. */
  uint32(): number {
    if (this.pos < this.end) {
      const byte = this.buffer[this.pos] as number;
      if (byte < 0x80) {
        this.pos++;
        return byte;
      }
    }
    return this.int32() >>> 0;
  }

  /** An int32 or enum: the low 32 bits of a varint. */
  int32(): number {
    const value = this.int64();
    return typeof value === "number" ? value | 0 : Number(BigInt.asIntN(32, value));
  }

  int64(): Int64 {
    const value = readVarint64(this.buffer, this.pos, this.end);
    this.pos = varintCursor.pos;
    return value;
  }

  bool(): boolean {
    return this.int64() !== 0;
  }

  /** The offset after a length-delimited field whose length stands at the position. */
  fieldEnd(): number {
    const length = this.#length();
    const end = this.pos + length;
    if (end > this.end) {
      throw new ProtocolError("INVALID_PROTOBUF", `a field of ${length} bytes runs past the end`, { offset: this.pos });
    }
    return end;
  }

  #length(): number {
    if (this.pos < this.end) {
      const byte = this.buffer[this.pos] as number;
      if (byte < 0x80) {
        this.pos++;
        return byte;
      }
    }
    return this.#strictVarint(0x07, "length");
  }

  /** A varint of up to five bytes, of whose last no bit beyond `lastByteMax` may be set. */
  #strictVarint(lastByteMax: number, what: string): number {
    const start = this.pos;
    let value = 0;
    for (let shift = 0; shift <= 28; shift += 7) {
      if (this.pos >= this.end) break;
      const byte = this.buffer[this.pos++] as number;
      if (shift === 28 && byte > lastByteMax) break;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
    throw new ProtocolError("INVALID_PROTOBUF", `a ${what} is cut off or too long`, { offset: start });
  }

  /** A view of the bytes, not a copy. */
  bytes(): Buffer {
    const end = this.fieldEnd();
    const value = this.buffer.subarray(this.pos, end);
    this.pos = end;
    return value;
  }

  string(): string {
    const end = this.fieldEnd();
    const value = readText(this.buffer, this.pos, end);
    this.pos = end;
    return value;
  }

  /** Enters a nested message; give what it returns to {@link leave}. */
  enter(): number {
    const end = this.fieldEnd();
    const outer = this.end;
    this.end = end;
    return outer;
  }

  leave(outer: number): void {
    this.end = outer;
  }

  /** Skips an unknown field, groups included. */
  skip(tag: number, depth = 0): void {
    if (tag < 8) throw new ProtocolError("INVALID_PROTOBUF", "field number 0 does not exist", { offset: this.pos });
    switch (tag & 7) {
      case 0:
        this.#skipVarint();
        return;
      case 1:
        this.advance(8);
        return;
      case 2:
        this.pos = this.fieldEnd();
        return;
      case 3:
        if (depth > 32) throw new ProtocolError("INVALID_PROTOBUF", "groups nested too deep", { offset: this.pos });
        for (;;) {
          const inner = this.tag();
          if ((inner & 7) === 4) {
            if (inner >>> 3 === tag >>> 3) return;
            throw new ProtocolError("INVALID_PROTOBUF", "a group ends that never began", { offset: this.pos });
          }
          this.skip(inner, depth + 1);
        }
      case 5:
        this.advance(4);
        return;
      default:
        throw new ProtocolError("INVALID_PROTOBUF", `wire type ${tag & 7} does not exist`, { offset: this.pos });
    }
  }

  /** Of any length, as the generated code skips it: nobody looks at the value. */
  #skipVarint(): void {
    while (this.pos < this.end) if ((this.buffer[this.pos++] as number) < 0x80) return;
    throw new ProtocolError("INVALID_PROTOBUF", "a varint runs past the end", { offset: this.pos });
  }

  private advance(bytes: number): void {
    if (this.pos + bytes > this.end) {
      throw new ProtocolError("INVALID_PROTOBUF", "a fixed-size field runs past the end", { offset: this.pos });
    }
    this.pos += bytes;
  }
}

/** Short ASCII texts are cheaper to put together here than through a call into the runtime. */
function readText(buffer: Buffer, start: number, end: number): string {
  if (end - start > 12) return buffer.toString("utf8", start, end);
  let text = "";
  for (let pos = start; pos < end; pos++) {
    const byte = buffer[pos] as number;
    if (byte > 0x7f) return buffer.toString("utf8", start, end);
    text += String.fromCharCode(byte);
  }
  return text;
}

/** The same memory as a Buffer. */
export function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Error for a required field that is not there. */
export function missingField(message: string, field: string, offset: number): ProtocolError {
  return new ProtocolError("MISSING_FIELD", `${message} lacks its required field ${field}`, { offset });
}
