import type {
  CommandAck,
  CommandFlow,
  CommandMessage,
  CommandSend,
  CommandSendReceipt,
  KeyLongValue,
  MessageIdData,
} from "../gen/pulsar-api.js";
import type { Int64 } from "../int64/int64.ts";
import { missingField, type ProtoReader } from "../protobuf/proto-reader.ts";
import { readAckSet, readMessageIdData } from "./message-id-data.ts";

// Hand-written decoders of the commands that occur per message or per entry. Every result has the same shape whatever
// fields the wire held, so that the code which handles it stays monomorphic; an unset field is undefined.

export function readSend(reader: ProtoReader): CommandSend {
  let producerId: Int64 | undefined;
  let sequenceId: Int64 | undefined;
  let numMessages: number | undefined;
  let txnidLeastBits: Int64 | undefined;
  let txnidMostBits: Int64 | undefined;
  let highestSequenceId: Int64 | undefined;
  let isChunk: boolean | undefined;
  let marker: boolean | undefined;
  let messageId: MessageIdData | undefined;
  const start = reader.pos;
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    if (tag === 0x08) producerId = reader.int64();
    else if (tag === 0x10) sequenceId = reader.int64();
    else if (tag === 0x18) numMessages = reader.int32();
    else if (tag === 0x20) txnidLeastBits = reader.int64();
    else if (tag === 0x28) txnidMostBits = reader.int64();
    else if (tag === 0x30) highestSequenceId = reader.int64();
    else if (tag === 0x38) isChunk = reader.bool();
    else if (tag === 0x40) marker = reader.bool();
    else if (tag === 0x4a) messageId = readNestedId(reader, messageId);
    else reader.skip(tag);
  }
  if (producerId === undefined) throw missingField("CommandSend", "producerId", start);
  if (sequenceId === undefined) throw missingField("CommandSend", "sequenceId", start);
  return {
    producerId,
    sequenceId,
    numMessages,
    txnidLeastBits,
    txnidMostBits,
    highestSequenceId,
    isChunk,
    marker,
    messageId,
  };
}

export function readSendReceipt(reader: ProtoReader): CommandSendReceipt {
  let producerId: Int64 | undefined;
  let sequenceId: Int64 | undefined;
  let messageId: MessageIdData | undefined;
  let highestSequenceId: Int64 | undefined;
  const start = reader.pos;
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    if (tag === 0x08) producerId = reader.int64();
    else if (tag === 0x10) sequenceId = reader.int64();
    else if (tag === 0x1a) messageId = readNestedId(reader, messageId);
    else if (tag === 0x20) highestSequenceId = reader.int64();
    else reader.skip(tag);
  }
  if (producerId === undefined) throw missingField("CommandSendReceipt", "producerId", start);
  if (sequenceId === undefined) throw missingField("CommandSendReceipt", "sequenceId", start);
  return { producerId, sequenceId, messageId, highestSequenceId };
}

export function readMessage(reader: ProtoReader): CommandMessage {
  let consumerId: Int64 | undefined;
  let messageId: MessageIdData | undefined;
  let redeliveryCount: number | undefined;
  let ackSet: Int64[] | undefined;
  let consumerEpoch: Int64 | undefined;
  const start = reader.pos;
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    if (tag === 0x08) consumerId = reader.int64();
    else if (tag === 0x12) messageId = readNestedId(reader, messageId);
    else if (tag === 0x18) redeliveryCount = reader.uint32();
    else if (tag === 0x20 || tag === 0x22) ackSet = readAckSet(reader, tag, ackSet);
    else if (tag === 0x28) consumerEpoch = reader.int64();
    else reader.skip(tag);
  }
  if (consumerId === undefined) throw missingField("CommandMessage", "consumerId", start);
  if (messageId === undefined) throw missingField("CommandMessage", "messageId", start);
  return { consumerId, messageId, redeliveryCount, ackSet, consumerEpoch };
}

export function readAck(reader: ProtoReader): CommandAck {
  let consumerId: Int64 | undefined;
  let ackType: number | undefined;
  const messageId: MessageIdData[] = [];
  let validationError: number | undefined;
  let properties: KeyLongValue[] | undefined;
  let txnidLeastBits: Int64 | undefined;
  let txnidMostBits: Int64 | undefined;
  let requestId: Int64 | undefined;
  const start = reader.pos;
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    if (tag === 0x08) consumerId = reader.int64();
    else if (tag === 0x10) ackType = reader.int32();
    else if (tag === 0x1a) messageId.push(readNestedId(reader));
    else if (tag === 0x20) validationError = reader.int32();
    else if (tag === 0x2a) {
      properties ??= [];
      properties.push(readKeyLongValue(reader));
    } else if (tag === 0x30) txnidLeastBits = reader.int64();
    else if (tag === 0x38) txnidMostBits = reader.int64();
    else if (tag === 0x40) requestId = reader.int64();
    else reader.skip(tag);
  }
  if (consumerId === undefined) throw missingField("CommandAck", "consumerId", start);
  if (ackType === undefined) throw missingField("CommandAck", "ackType", start);
  return {
    consumerId,
    ackType,
    messageId,
    validationError,
    properties,
    txnidLeastBits,
    txnidMostBits,
    requestId,
  };
}

export function readFlow(reader: ProtoReader): CommandFlow {
  let consumerId: Int64 | undefined;
  let messagePermits: number | undefined;
  const start = reader.pos;
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    if (tag === 0x08) consumerId = reader.int64();
    else if (tag === 0x10) messagePermits = reader.uint32();
    else reader.skip(tag);
  }
  if (consumerId === undefined) throw missingField("CommandFlow", "consumerId", start);
  if (messagePermits === undefined) throw missingField("CommandFlow", "messagePermits", start);
  return { consumerId, messagePermits };
}

function readNestedId(reader: ProtoReader, previous?: MessageIdData): MessageIdData {
  const outer = reader.enter();
  const id = readMessageIdData(reader, previous);
  reader.leave(outer);
  return id;
}

function readKeyLongValue(reader: ProtoReader): KeyLongValue {
  let key: string | undefined;
  let value: Int64 | undefined;
  const outer = reader.enter();
  const start = reader.pos;
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    if (tag === 0x0a) key = reader.string();
    else if (tag === 0x10) value = reader.int64();
    else reader.skip(tag);
  }
  reader.leave(outer);
  if (key === undefined) throw missingField("KeyLongValue", "key", start);
  if (value === undefined) throw missingField("KeyLongValue", "value", start);
  return { key, value };
}
