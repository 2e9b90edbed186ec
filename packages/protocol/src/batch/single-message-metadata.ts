import type { KeyValue, SingleMessageMetadata } from "../gen/pulsar-api.js";
import type { Int64 } from "../int64/int64.ts";
import { readKeyValue, writeKeyValues } from "../metadata/key-values.ts";
import { missingField, type ProtoReader } from "../protobuf/proto-reader.ts";
import type { ProtoWriter } from "../protobuf/proto-writer.ts";

/** What a message of a batch says about itself, apart from the size of its payload. */
export type SingleMessageFields = Omit<SingleMessageMetadata, "payloadSize">;

/** Writes the fields in ascending order, each only when set. */
export function writeSingleMessageMetadata(
  writer: ProtoWriter,
  fields: SingleMessageFields,
  payloadSize: number,
): void {
  if (fields.properties !== undefined) writeKeyValues(writer, 0x0a, fields.properties);
  if (fields.partitionKey !== undefined) writer.stringField(0x12, fields.partitionKey);
  writer.int32Field(0x18, payloadSize);
  if (fields.compactedOut !== undefined) writer.boolField(0x20, fields.compactedOut);
  if (fields.eventTime !== undefined) writer.int64Field(0x28, fields.eventTime);
  if (fields.partitionKeyB64Encoded !== undefined) writer.boolField(0x30, fields.partitionKeyB64Encoded);
  if (fields.orderingKey !== undefined) writer.bytesField(0x3a, fields.orderingKey);
  if (fields.sequenceId !== undefined) writer.int64Field(0x40, fields.sequenceId);
  if (fields.nullValue !== undefined) writer.boolField(0x48, fields.nullValue);
  if (fields.nullPartitionKey !== undefined) writer.boolField(0x50, fields.nullPartitionKey);
}

/** Reads a SingleMessageMetadata up to the reader's end. */
export function readSingleMessageMetadata(reader: ProtoReader): SingleMessageMetadata {
  let properties: KeyValue[] | undefined;
  let partitionKey: string | undefined;
  let payloadSize: number | undefined;
  let compactedOut: boolean | undefined;
  let eventTime: Int64 | undefined;
  let partitionKeyB64Encoded: boolean | undefined;
  let orderingKey: Uint8Array | undefined;
  let sequenceId: Int64 | undefined;
  let nullValue: boolean | undefined;
  let nullPartitionKey: boolean | undefined;
  const start = reader.pos;
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    if (tag === 0x18) payloadSize = reader.int32();
    else if (tag === 0x0a) {
      properties ??= [];
      properties.push(readKeyValue(reader));
    } else if (tag === 0x12) partitionKey = reader.string();
    else if (tag === 0x20) compactedOut = reader.bool();
    else if (tag === 0x28) eventTime = reader.int64();
    else if (tag === 0x30) partitionKeyB64Encoded = reader.bool();
    else if (tag === 0x3a) orderingKey = reader.bytes();
    else if (tag === 0x40) sequenceId = reader.int64();
    else if (tag === 0x48) nullValue = reader.bool();
    else if (tag === 0x50) nullPartitionKey = reader.bool();
    else reader.skip(tag);
  }
  if (payloadSize === undefined) throw missingField("SingleMessageMetadata", "payloadSize", start);
  return {
    properties,
    partitionKey,
    payloadSize,
    compactedOut,
    eventTime,
    partitionKeyB64Encoded,
    orderingKey,
    sequenceId,
    nullValue,
    nullPartitionKey,
  };
}
