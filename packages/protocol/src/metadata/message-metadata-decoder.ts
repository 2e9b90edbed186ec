import type { EncryptionKeys, KeyValue, MessageMetadata } from "../gen/pulsar-api.js";
import type { Int64 } from "../int64/int64.ts";
import { missingField, ProtoReader } from "../protobuf/proto-reader.ts";
import { readKeyValue } from "./key-values.ts";
import { readRepeatedText } from "./repeated-text.ts";

const reader = new ProtoReader();
const readProducerName = readRepeatedText();

type Mutable<T> = { -readonly [K in keyof T]-?: T[K] };

/** All fields from the start, so that every decoded metadata has one shape. */
class DecodedMetadata implements Mutable<MessageMetadata> {
  producerName = "";
  sequenceId: Int64 = 0;
  publishTime: Int64 = 0;
  properties: KeyValue[] | undefined = undefined;
  replicatedFrom: string | undefined = undefined;
  partitionKey: string | undefined = undefined;
  replicateTo: string[] | undefined = undefined;
  compression: number | undefined = undefined;
  uncompressedSize: number | undefined = undefined;
  numMessagesInBatch: number | undefined = undefined;
  eventTime: Int64 | undefined = undefined;
  encryptionKeys: EncryptionKeys[] | undefined = undefined;
  encryptionAlgo: string | undefined = undefined;
  encryptionParam: Uint8Array | undefined = undefined;
  schemaVersion: Uint8Array | undefined = undefined;
  partitionKeyB64Encoded: boolean | undefined = undefined;
  orderingKey: Uint8Array | undefined = undefined;
  deliverAtTime: Int64 | undefined = undefined;
  markerType: number | undefined = undefined;
  txnidLeastBits: Int64 | undefined = undefined;
  txnidMostBits: Int64 | undefined = undefined;
  highestSequenceId: Int64 | undefined = undefined;
  nullValue: boolean | undefined = undefined;
  uuid: string | undefined = undefined;
  numChunksFromMsg: number | undefined = undefined;
  totalChunkMsgSize: number | undefined = undefined;
  chunkId: number | undefined = undefined;
  nullPartitionKey: boolean | undefined = undefined;
}

/**
 * Decodes the metadata of an entry. Unset fields are undefined, `bytes` fields are views of the buffer, unknown fields
 * are skipped.
 *
 * @throws ProtocolError `INVALID_PROTOBUF` or `MISSING_FIELD`.
 */
export function decodeMessageMetadata(buffer: Uint8Array, start = 0, end: number = buffer.length): MessageMetadata {
  reader.reset(buffer, start, end);
  const metadata = new DecodedMetadata();
  // Bits 1 to 3: the required fields 1 to 3 were there.
  let seen = 0;
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    switch (tag) {
      case 0x0a:
        metadata.producerName = readProducerName(reader);
        seen |= 2;
        break;
      case 0x10:
        metadata.sequenceId = reader.int64();
        seen |= 4;
        break;
      case 0x18:
        metadata.publishTime = reader.int64();
        seen |= 8;
        break;
      default:
        readOptional(metadata, tag);
    }
  }
  if ((seen & 2) === 0) throw missingField("MessageMetadata", "producerName", start);
  if ((seen & 4) === 0) throw missingField("MessageMetadata", "sequenceId", start);
  if ((seen & 8) === 0) throw missingField("MessageMetadata", "publishTime", start);
  return metadata;
}

function readOptional(metadata: DecodedMetadata, tag: number): void {
  switch (tag) {
    case 0x22:
      metadata.properties ??= [];
      metadata.properties.push(readKeyValue(reader));
      return;
    case 0x2a:
      metadata.replicatedFrom = reader.string();
      return;
    case 0x32:
      metadata.partitionKey = reader.string();
      return;
    case 0x3a:
      metadata.replicateTo ??= [];
      metadata.replicateTo.push(reader.string());
      return;
    case 0x40:
      metadata.compression = reader.int32();
      return;
    case 0x48:
      metadata.uncompressedSize = reader.uint32();
      return;
    case 0x58:
      metadata.numMessagesInBatch = reader.int32();
      return;
    case 0x60:
      metadata.eventTime = reader.int64();
      return;
    case 0x6a:
      metadata.encryptionKeys ??= [];
      metadata.encryptionKeys.push(readEncryptionKey());
      return;
    case 0x72:
      metadata.encryptionAlgo = reader.string();
      return;
    case 0x7a:
      metadata.encryptionParam = reader.bytes();
      return;
    case 0x82:
      metadata.schemaVersion = reader.bytes();
      return;
    case 0x88:
      metadata.partitionKeyB64Encoded = reader.bool();
      return;
    case 0x92:
      metadata.orderingKey = reader.bytes();
      return;
    case 0x98:
      metadata.deliverAtTime = reader.int64();
      return;
    case 0xa0:
      metadata.markerType = reader.int32();
      return;
    case 0xb0:
      metadata.txnidLeastBits = reader.int64();
      return;
    case 0xb8:
      metadata.txnidMostBits = reader.int64();
      return;
    case 0xc0:
      metadata.highestSequenceId = reader.int64();
      return;
    case 0xc8:
      metadata.nullValue = reader.bool();
      return;
    case 0xd2:
      metadata.uuid = reader.string();
      return;
    case 0xd8:
      metadata.numChunksFromMsg = reader.int32();
      return;
    case 0xe0:
      metadata.totalChunkMsgSize = reader.int32();
      return;
    case 0xe8:
      metadata.chunkId = reader.int32();
      return;
    case 0xf0:
      metadata.nullPartitionKey = reader.bool();
      return;
    default:
      reader.skip(tag);
  }
}

function readEncryptionKey(): EncryptionKeys {
  let key: string | undefined;
  let value: Uint8Array | undefined;
  let metadata: KeyValue[] | undefined;
  const outer = reader.enter();
  const start = reader.pos;
  while (reader.pos < reader.end) {
    const tag = reader.tag();
    if (tag === 0x0a) key = reader.string();
    else if (tag === 0x12) value = reader.bytes();
    else if (tag === 0x1a) {
      metadata ??= [];
      metadata.push(readKeyValue(reader));
    } else reader.skip(tag);
  }
  reader.leave(outer);
  if (key === undefined) throw missingField("EncryptionKeys", "key", start);
  if (value === undefined) throw missingField("EncryptionKeys", "value", start);
  return { key, value, metadata };
}
