import { ProtocolError } from "../errors.ts";
import type { MessageIdData } from "../gen/pulsar-api.js";
import type { Int64 } from "../int64/int64.ts";
import { missingField, type ProtoReader } from "../protobuf/proto-reader.ts";
import type { ProtoWriter } from "../protobuf/proto-writer.ts";

/** Writes the fields of a MessageIdData, without tag and length. */
export function writeMessageIdData(writer: ProtoWriter, id: MessageIdData): void {
  writer.int64Field(0x08, id.ledgerId);
  writer.int64Field(0x10, id.entryId);
  if (id.partition !== undefined) writer.int32Field(0x18, id.partition);
  if (id.batchIndex !== undefined) writer.int32Field(0x20, id.batchIndex);
  if (id.ackSet !== undefined) for (const word of id.ackSet) writer.int64Field(0x28, word);
  if (id.batchSize !== undefined) writer.int32Field(0x30, id.batchSize);
  if (id.firstChunkMessageId !== undefined) {
    const mark = writer.begin(0x3a);
    writeMessageIdData(writer, id.firstChunkMessageId);
    writer.end(mark);
  }
}

/** First chunk ids have no first chunk of their own; more levels are an attack on the stack. */
const MAX_DEPTH = 8;

/**
 * Reads a MessageIdData up to the reader's end. A field that occurs again is merged with what it held, as protobuf demands.
 */
export function readMessageIdData(reader: ProtoReader, previous?: MessageIdData, depth = 0): MessageIdData {
  if (depth > MAX_DEPTH) throw new ProtocolError("INVALID_PROTOBUF", "ids nested too deep", { offset: reader.pos });
  let ledgerId: Int64 | undefined = previous?.ledgerId;
  let entryId: Int64 | undefined = previous?.entryId;
  let partition: number | undefined = previous?.partition;
  let batchIndex: number | undefined = previous?.batchIndex;
  let ackSet: Int64[] | undefined = previous?.ackSet?.slice();
  let batchSize: number | undefined = previous?.batchSize;
  let firstChunkMessageId: MessageIdData | undefined = previous?.firstChunkMessageId;
  const start = reader.pos;
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    switch (tag) {
      case 0x08:
        ledgerId = reader.int64();
        break;
      case 0x10:
        entryId = reader.int64();
        break;
      case 0x18:
        partition = reader.int32();
        break;
      case 0x20:
        batchIndex = reader.int32();
        break;
      case 0x28:
      case 0x2a:
        ackSet = readAckSet(reader, tag, ackSet);
        break;
      case 0x30:
        batchSize = reader.int32();
        break;
      case 0x3a: {
        const outer = reader.enter();
        firstChunkMessageId = readMessageIdData(reader, firstChunkMessageId, depth + 1);
        reader.leave(outer);
        break;
      }
      default:
        reader.skip(tag);
    }
  }
  if (ledgerId === undefined) throw missingField("MessageIdData", "ledgerId", start);
  if (entryId === undefined) throw missingField("MessageIdData", "entryId", start);
  return { ledgerId, entryId, partition, batchIndex, ackSet, batchSize, firstChunkMessageId };
}

/** Adds the words of an ack set: one word, or a packed list of them. */
export function readAckSet(reader: ProtoReader, tag: number, words: Int64[] = []): Int64[] {
  if ((tag & 7) === 0) {
    words.push(reader.int64());
    return words;
  }
  const outer = reader.enter();
  while (reader.pos < reader.end) words.push(reader.int64());
  reader.leave(outer);
  return words;
}
