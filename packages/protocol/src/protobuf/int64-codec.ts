import protobuf from "protobufjs/minimal.js";
import { ProtocolError } from "../errors.ts";
import type { MessageCodec } from "../gen/pulsar-api.js";
import { type Int64, int64High, int64Low } from "../int64/int64.ts";
import { readVarint64, varintCursor } from "../int64/varint.ts";

/**
 * The two ends of the generated code: a protobufjs reader and writer whose 64-bit fields are {@link Int64}. This is the
 * only place where the generator's own 64-bit form appears (it would encode a bigint as 0 without a word).
 */
class Int64Reader extends protobuf.Reader {
  constructor(buffer: Uint8Array) {
    super(buffer);
    // Unknown fields of newer peers are skipped, not kept.
    this.discardUnknown = true;
  }
}

class Int64Writer extends protobuf.Writer {}

// Assigned rather than declared as methods: the library types 64-bit values as Long, which never occurs here.
Object.assign(Int64Reader.prototype, { uint64: readInt64, int64: readInt64 });
Object.assign(Int64Writer.prototype, { uint64: writeInt64, int64: writeInt64, string: writeText });

function readInt64(this: protobuf.Reader): Int64 {
  const value = readVarint64(this.buf, this.pos, this.len);
  this.pos = varintCursor.pos;
  return value;
}

function writeInt64(this: protobuf.Writer, value: Int64): protobuf.Writer {
  if (typeof value !== "number" && typeof value !== "bigint") {
    throw new ProtocolError("INVALID_ARGUMENT", `a 64-bit field must be a number or a bigint, got ${typeof value}`);
  }
  const bits = { low: int64Low(value), high: int64High(value), unsigned: false };
  return protobuf.Writer.prototype.uint64.call(this, bits as never);
}

/** The library would write an unpaired surrogate as it is, which is no UTF-8: other peers refuse such a command. */
function writeText(this: protobuf.Writer, value: string): protobuf.Writer {
  const text = /[\ud800-\udfff]/.test(value) ? Buffer.from(value, "utf8").toString("utf8") : value;
  return protobuf.Writer.prototype.string.call(this, text);
}

/** Decodes one message of the generated code from a range of bytes. */
export function decodeGenerated<T>(codec: MessageCodec<T>, buffer: Uint8Array, start: number, end: number): T {
  const reader = new Int64Reader(buffer);
  reader.pos = start;
  reader.len = end;
  try {
    return codec.decode(reader);
  } catch (cause) {
    if (ProtocolError.isProtocolError(cause)) throw cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    const code = reason.startsWith("missing required") ? "MISSING_FIELD" : "INVALID_PROTOBUF";
    throw new ProtocolError(code, reason, { offset: Math.min(reader.pos, end), cause });
  }
}

/** Encodes one message by the generated code. */
export function encodeGenerated<T>(codec: MessageCodec<T>, message: T): Uint8Array {
  return codec.encode(message, new Int64Writer()).finish();
}
