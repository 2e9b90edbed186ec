import { ProtocolError } from "../errors.ts";
import { type Int64, toInt64 } from "../int64/int64.ts";
import { readVarint64, sizeofVarint64, varintCursor, writeVarint64 } from "../int64/varint.ts";

/**
 * A message id as the protocol's MessageIdData carries it.
 *
 * | field | number | on the wire |
 * | --- | --- | --- |
 * | ledger, entry | 1, 2 | always, -1 as ten bytes |
 * | partition index | 3 | when 0 or more |
 * | batch index | 4 | when 0 or more |
 * | batch size | 6 | always, as the Java client does |
 * | first chunk | 7 | for the id of a chunked message |
 */
export interface MessageIdData {
  readonly ledger: Int64;
  readonly entry: Int64;
  /** -1 for none. */
  readonly partitionIndex: number;
  /** -1 for none. */
  readonly batchIndex: number;
  /** 0 for none. */
  readonly batchSize: number;
  readonly firstChunkMessageId: MessageIdData | undefined;
}

/** Bytes that {@link writeMessageIdData} takes. */
export function sizeofMessageIdData(id: MessageIdData): number {
  let size = 3 + sizeofVarint64(id.ledger) + sizeofVarint64(id.entry) + sizeofVarint64(id.batchSize);
  if (id.partitionIndex >= 0) size += 1 + sizeofVarint64(id.partitionIndex);
  if (id.batchIndex >= 0) size += 1 + sizeofVarint64(id.batchIndex);
  if (id.firstChunkMessageId !== undefined) {
    const nested = sizeofMessageIdData(id.firstChunkMessageId);
    size += 1 + sizeofVarint64(nested) + nested;
  }
  return size;
}

/** Writes an id in the form of the Java client and returns the offset after it. */
export function writeMessageIdData(buf: Uint8Array, start: number, id: MessageIdData): number {
  let pos = start;
  buf[pos++] = 0x08;
  pos = writeVarint64(buf, pos, id.ledger);
  buf[pos++] = 0x10;
  pos = writeVarint64(buf, pos, id.entry);
  if (id.partitionIndex >= 0) {
    buf[pos++] = 0x18;
    pos = writeVarint64(buf, pos, id.partitionIndex);
  }
  if (id.batchIndex >= 0) {
    buf[pos++] = 0x20;
    pos = writeVarint64(buf, pos, id.batchIndex);
  }
  buf[pos++] = 0x30;
  pos = writeVarint64(buf, pos, id.batchSize);
  if (id.firstChunkMessageId !== undefined) {
    buf[pos++] = 0x3a;
    pos = writeVarint64(buf, pos, sizeofMessageIdData(id.firstChunkMessageId));
    pos = writeMessageIdData(buf, pos, id.firstChunkMessageId);
  }
  return pos;
}

/**
 * Reads an id in any client's form: C++ leaves out what is unset, Go writes -1 for it, so values decide and not presence.
 * Ack sets, unknown fields and the chunk of a chunk are skipped.
 *
 * @throws ProtocolError `INVALID_MESSAGE_ID`
 */
export function readMessageIdData(buf: Uint8Array, start: number, end: number): MessageIdData {
  try {
    return readFields(buf, start, end, true);
  } catch (error) {
    if (!ProtocolError.isProtocolError(error) || error.code === "INVALID_MESSAGE_ID") throw error;
    throw new ProtocolError(
      "INVALID_MESSAGE_ID",
      `message id: ${error.reason}`,
      error.offset === undefined ? { cause: error } : { offset: error.offset, cause: error },
    );
  }
}

function readFields(buf: Uint8Array, start: number, end: number, withFirstChunk: boolean): MessageIdData {
  let ledger: Int64 | undefined;
  let entry: Int64 | undefined;
  let partitionIndex = -1;
  let batchIndex = -1;
  let batchSize = 0;
  let firstChunkMessageId: MessageIdData | undefined;
  let pos = start;
  while (pos < end) {
    const tag = Number(readVarint64(buf, pos, end));
    const fieldAt = pos;
    pos = varintCursor.pos;
    switch (tag) {
      case 0x08:
        ledger = readVarint64(buf, pos, end);
        pos = varintCursor.pos;
        break;
      case 0x10:
        entry = readVarint64(buf, pos, end);
        pos = varintCursor.pos;
        break;
      case 0x18:
        partitionIndex = Math.max(-1, readInt32(buf, pos, end));
        pos = varintCursor.pos;
        break;
      case 0x20:
        batchIndex = Math.max(-1, readInt32(buf, pos, end));
        pos = varintCursor.pos;
        break;
      case 0x30:
        batchSize = Math.max(0, readInt32(buf, pos, end));
        pos = varintCursor.pos;
        break;
      case 0x3a: {
        const stop = endOfDelimited(buf, pos, end);
        if (withFirstChunk) firstChunkMessageId = readFields(buf, varintCursor.pos, stop, false);
        pos = stop;
        break;
      }
      default:
        pos = skipField(buf, pos, end, tag, fieldAt);
    }
  }
  if (ledger === undefined || entry === undefined) {
    const missing = ledger === undefined ? "ledger id" : "entry id";
    throw new ProtocolError("INVALID_MESSAGE_ID", `message id without ${missing}`, { offset: start });
  }
  return { ledger, entry, partitionIndex, batchIndex, batchSize, firstChunkMessageId };
}

function readInt32(buf: Uint8Array, pos: number, end: number): number {
  const value = readVarint64(buf, pos, end);
  return typeof value === "number" ? value | 0 : Number(BigInt.asIntN(32, value));
}

/** End of a length-delimited field whose length stands at `pos`; its content starts at the cursor. */
function endOfDelimited(buf: Uint8Array, pos: number, end: number): number {
  const length = readVarint64(buf, pos, end);
  const contentAt = varintCursor.pos;
  if (typeof length === "bigint" || length < 0 || length > end - contentAt) {
    throw new ProtocolError("INVALID_MESSAGE_ID", `field of ${length} bytes runs past the end`, { offset: pos });
  }
  return contentAt + length;
}

function skipField(buf: Uint8Array, pos: number, end: number, tag: number, fieldAt: number): number {
  let next: number;
  switch (tag % 8) {
    case 0:
      readVarint64(buf, pos, end);
      next = varintCursor.pos;
      break;
    case 1:
      next = pos + 8;
      break;
    case 2:
      next = endOfDelimited(buf, pos, end);
      break;
    case 5:
      next = pos + 4;
      break;
    default:
      throw new ProtocolError("INVALID_MESSAGE_ID", `wire type ${tag % 8} is not known`, { offset: fieldAt });
  }
  if (tag < 8 || next > end) {
    throw new ProtocolError("INVALID_MESSAGE_ID", `field with tag ${tag} is malformed`, { offset: fieldAt });
  }
  return next;
}

/** Checks an index or size given by a caller: a 32-bit integer from `least` on. */
export function checkInt32(name: string, value: number, least: number): number {
  if (!Number.isInteger(value) || value < least || value > 0x7fffffff) {
    throw new ProtocolError(
      "INVALID_MESSAGE_ID",
      `${name} must be an integer from ${least} to 2147483647, got ${value}`,
    );
  }
  return value;
}

/** Checks a ledger or entry id given by a caller. */
export function checkInt64(name: string, value: bigint | number): Int64 {
  const inRange = typeof value === "bigint" ? BigInt.asIntN(64, value) === value : Number.isSafeInteger(value);
  if (!inRange) {
    throw new ProtocolError("INVALID_MESSAGE_ID", `${name} must be a signed 64-bit integer, got ${value}`);
  }
  return toInt64(value);
}
