import type { CommandAck, CommandFlow, CommandMessage, CommandSend, CommandSendReceipt } from "../gen/pulsar-api.js";
import type { ProtoWriter } from "../protobuf/proto-writer.ts";
import { writeMessageIdData } from "./message-id-data.ts";

// Hand-written encoders of the commands that occur per message or per entry, several times cheaper than the generated
// ones. Fields go out in ascending order, each only when set: byte for byte what the generated code writes.

export function writeSend(writer: ProtoWriter, send: CommandSend): void {
  writer.int64Field(0x08, send.producerId);
  writer.int64Field(0x10, send.sequenceId);
  if (send.numMessages !== undefined) writer.int32Field(0x18, send.numMessages);
  if (send.txnidLeastBits !== undefined) writer.int64Field(0x20, send.txnidLeastBits);
  if (send.txnidMostBits !== undefined) writer.int64Field(0x28, send.txnidMostBits);
  if (send.highestSequenceId !== undefined) writer.int64Field(0x30, send.highestSequenceId);
  if (send.isChunk !== undefined) writer.boolField(0x38, send.isChunk);
  if (send.marker !== undefined) writer.boolField(0x40, send.marker);
  if (send.messageId !== undefined) writeNestedId(writer, 0x4a, send.messageId);
}

export function writeSendReceipt(writer: ProtoWriter, receipt: CommandSendReceipt): void {
  writer.int64Field(0x08, receipt.producerId);
  writer.int64Field(0x10, receipt.sequenceId);
  if (receipt.messageId !== undefined) writeNestedId(writer, 0x1a, receipt.messageId);
  if (receipt.highestSequenceId !== undefined) writer.int64Field(0x20, receipt.highestSequenceId);
}

export function writeMessage(writer: ProtoWriter, message: CommandMessage): void {
  writer.int64Field(0x08, message.consumerId);
  writeNestedId(writer, 0x12, message.messageId);
  if (message.redeliveryCount !== undefined) writer.uint32Field(0x18, message.redeliveryCount);
  if (message.ackSet !== undefined) for (const word of message.ackSet) writer.int64Field(0x20, word);
  if (message.consumerEpoch !== undefined) writer.int64Field(0x28, message.consumerEpoch);
}

export function writeAck(writer: ProtoWriter, ack: CommandAck): void {
  writer.int64Field(0x08, ack.consumerId);
  writer.int32Field(0x10, ack.ackType);
  if (ack.messageId !== undefined) for (const id of ack.messageId) writeNestedId(writer, 0x1a, id);
  if (ack.validationError !== undefined) writer.int32Field(0x20, ack.validationError);
  if (ack.properties !== undefined) {
    for (const property of ack.properties) {
      const mark = writer.begin(0x2a);
      writer.stringField(0x0a, property.key);
      writer.int64Field(0x10, property.value);
      writer.end(mark);
    }
  }
  if (ack.txnidLeastBits !== undefined) writer.int64Field(0x30, ack.txnidLeastBits);
  if (ack.txnidMostBits !== undefined) writer.int64Field(0x38, ack.txnidMostBits);
  if (ack.requestId !== undefined) writer.int64Field(0x40, ack.requestId);
}

export function writeFlow(writer: ProtoWriter, flow: CommandFlow): void {
  writer.int64Field(0x08, flow.consumerId);
  writer.uint32Field(0x10, flow.messagePermits);
}

function writeNestedId(writer: ProtoWriter, tag: number, id: CommandMessage["messageId"]): void {
  const mark = writer.begin(tag);
  writeMessageIdData(writer, id);
  writer.end(mark);
}
