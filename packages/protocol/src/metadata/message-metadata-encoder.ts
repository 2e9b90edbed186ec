import type { EncryptionKeys, MessageMetadata } from "../gen/pulsar-api.js";
import { ProtoWriter } from "../protobuf/proto-writer.ts";
import { copyBytes } from "../protobuf/raw-bytes.ts";
import { writeKeyValues } from "./key-values.ts";

const scratch = new ProtoWriter(1024);

/** Encodes the metadata of an entry. */
export function encodeMessageMetadata(metadata: MessageMetadata): Buffer {
  scratch.pos = 0;
  writeMessageMetadata(scratch, metadata);
  const encoded = Buffer.allocUnsafe(scratch.pos);
  copyBytes(scratch.buffer, 0, scratch.pos, encoded, 0);
  return encoded;
}

/** Bytes that {@link encodeMessageMetadata} gives for this metadata. */
export function sizeofMessageMetadata(metadata: MessageMetadata): number {
  scratch.pos = 0;
  writeMessageMetadata(scratch, metadata);
  return scratch.pos;
}

/** Writes the fields of a MessageMetadata in ascending order, each only when set. */
export function writeMessageMetadata(writer: ProtoWriter, metadata: MessageMetadata): void {
  writer.stringField(0x0a, metadata.producerName);
  writer.int64Field(0x10, metadata.sequenceId);
  writer.int64Field(0x18, metadata.publishTime);
  if (metadata.properties !== undefined) writeKeyValues(writer, 0x22, metadata.properties);
  if (metadata.replicatedFrom !== undefined) writer.stringField(0x2a, metadata.replicatedFrom);
  if (metadata.partitionKey !== undefined) writer.stringField(0x32, metadata.partitionKey);
  if (metadata.replicateTo !== undefined) for (const name of metadata.replicateTo) writer.stringField(0x3a, name);
  if (metadata.compression !== undefined) writer.int32Field(0x40, metadata.compression);
  if (metadata.uncompressedSize !== undefined) writer.uint32Field(0x48, metadata.uncompressedSize);
  if (metadata.numMessagesInBatch !== undefined) writer.int32Field(0x58, metadata.numMessagesInBatch);
  if (metadata.eventTime !== undefined) writer.int64Field(0x60, metadata.eventTime);
  if (metadata.encryptionKeys !== undefined) for (const key of metadata.encryptionKeys) writeEncryptionKey(writer, key);
  if (metadata.encryptionAlgo !== undefined) writer.stringField(0x72, metadata.encryptionAlgo);
  if (metadata.encryptionParam !== undefined) writer.bytesField(0x7a, metadata.encryptionParam);
  if (metadata.schemaVersion !== undefined) writer.bytesField(0x82, metadata.schemaVersion);
  if (metadata.partitionKeyB64Encoded !== undefined) writer.boolField(0x88, metadata.partitionKeyB64Encoded);
  if (metadata.orderingKey !== undefined) writer.bytesField(0x92, metadata.orderingKey);
  if (metadata.deliverAtTime !== undefined) writer.int64Field(0x98, metadata.deliverAtTime);
  if (metadata.markerType !== undefined) writer.int32Field(0xa0, metadata.markerType);
  if (metadata.txnidLeastBits !== undefined) writer.int64Field(0xb0, metadata.txnidLeastBits);
  if (metadata.txnidMostBits !== undefined) writer.int64Field(0xb8, metadata.txnidMostBits);
  if (metadata.highestSequenceId !== undefined) writer.int64Field(0xc0, metadata.highestSequenceId);
  if (metadata.nullValue !== undefined) writer.boolField(0xc8, metadata.nullValue);
  if (metadata.uuid !== undefined) writer.stringField(0xd2, metadata.uuid);
  if (metadata.numChunksFromMsg !== undefined) writer.int32Field(0xd8, metadata.numChunksFromMsg);
  if (metadata.totalChunkMsgSize !== undefined) writer.int32Field(0xe0, metadata.totalChunkMsgSize);
  if (metadata.chunkId !== undefined) writer.int32Field(0xe8, metadata.chunkId);
  if (metadata.nullPartitionKey !== undefined) writer.boolField(0xf0, metadata.nullPartitionKey);
}

function writeEncryptionKey(writer: ProtoWriter, key: EncryptionKeys): void {
  const mark = writer.begin(0x6a);
  writer.stringField(0x0a, key.key);
  writer.bytesField(0x12, key.value);
  if (key.metadata !== undefined) writeKeyValues(writer, 0x1a, key.metadata);
  writer.end(mark);
}
