// biome-ignore-all assist/source/organizeImports: grouped by what they are for

// Errors and 64-bit values
export { ProtocolError } from "./errors.ts";
export type { ProtocolErrorCode, ProtocolErrorOptions } from "./errors.ts";
export { compareInt64, INT64_MAX, toBigInt, toInt64 } from "./int64/int64.ts";
export type { Int64 } from "./int64/int64.ts";

// Names and addresses
export { NamespaceName } from "./topic/namespace-name.ts";
export { topicListHash } from "./topic/topic-list-hash.ts";
export { TopicName } from "./topic/topic-name.ts";
export type { TopicDomain } from "./topic/topic-name.ts";
export { formatServiceHost, formatServiceUrl, parseServiceUrl } from "./service-url/service-url.ts";
export type { ServiceHost, ServiceUrl, ServiceUrlScheme } from "./service-url/service-url.ts";
export { boostHash } from "./hashing/boost-hash.ts";
export { javaStringHash } from "./hashing/java-string-hash.ts";
export { murmur3Hash32 } from "./hashing/murmur3.ts";
export {
  STICKY_HASH_RANGE_SIZE,
  stickyKeyHashConsistent,
  stickyKeyHashRange,
  stickyKeyHashSticky,
  stickyKeyOf,
} from "./hashing/sticky-key.ts";
export type { StickyKeySource } from "./hashing/sticky-key.ts";

// Message ids and acknowledgements
export { MessageId } from "./message-id/message-id.ts";
export type { MessageIdFields, MessageIdJson } from "./message-id/message-id.ts";
export { AckSet } from "./ack-set/ack-set.ts";

// Frames
export { FrameDecoder } from "./frame/frame-decoder.ts";
export type { FrameDecoderOptions, FrameView } from "./frame/frame-decoder.ts";
export { DEFAULT_MAX_MESSAGE_SIZE_BYTES, FRAME_OVERHEAD_BYTES } from "./frame/limits.ts";
export { readPayloadPart, verifyChecksum } from "./frame/payload-part.ts";
export type { PayloadPart } from "./frame/payload-part.ts";
export type { Crc32cFunction } from "./checksum/crc32c-wasm.ts";
export { crc32c, setCrc32c } from "./checksum/crc32c.ts";

// Commands
export type { Command, CommandBodies, CommandType } from "./command/command.ts";
export { decodeCommand } from "./command/decode-command.ts";
export { encodeCommand } from "./command/encode-command.ts";
export {
  AckType,
  InitialPosition,
  KeySharedMode,
  LookupType,
  MigratedResourceType,
  PartitionedMetadataLookupType,
  ProducerAccessMode,
  ProtocolVersion,
  ServerError,
  serverErrorName,
  SubType,
  TopicsMode,
  TxnAction,
  ValidationError,
} from "./command/enums.ts";

// Entries: metadata, batches, chunks, markers
export { decodeEntry } from "./entry/decode-entry.ts";
export type { Entry } from "./entry/decode-entry.ts";
export { encodeMessageFrame } from "./entry/message-frame.ts";
export { encodeSendFrame } from "./entry/send-frame.ts";
export { decodeBrokerEntryMetadata, encodeBrokerEntryMetadata } from "./metadata/broker-entry-metadata.ts";
export { decodeMarkerPayload, encodeMarkerPayload } from "./metadata/marker-payload.ts";
export type { MarkerPayloads } from "./metadata/marker-payload.ts";
export { decodeMessageMetadata } from "./metadata/message-metadata-decoder.ts";
export { encodeMessageMetadata, sizeofMessageMetadata } from "./metadata/message-metadata-encoder.ts";
export { BatchReader } from "./batch/batch-reader.ts";
export { BatchWriter } from "./batch/batch-writer.ts";
export type { BatchPayload } from "./batch/batch-writer.ts";
export type { SingleMessageFields } from "./batch/single-message-metadata.ts";
export { chunkUuid, planChunks } from "./chunk/chunk-plan.ts";
export type { ChunkBounds } from "./chunk/chunk-plan.ts";
export { ChunkedMessageAssembler } from "./chunk/chunked-message-assembler.ts";
export type {
  ChunkDiscardReason,
  ChunkedMessageAssemblerOptions,
  ChunkOutcome,
  ChunkPart,
  DiscardedChunks,
} from "./chunk/chunked-message-assembler.ts";
export { isMarker, isTransactionMarker, MarkerType } from "./markers/marker-type.ts";

// Payloads: compression and encryption
export {
  COMPRESSION_TYPES,
  compressionTypeFromWire,
  compressionTypeToWire,
  decompressPayload,
} from "./compression/codec.ts";
export type { CompressionCodec, CompressionType } from "./compression/codec.ts";
export { CompressionRegistry, compressionRegistry } from "./compression/registry.ts";
export { readEncryptionPrivateKey, readEncryptionPublicKey, unwrapDataKey, wrapDataKey } from "./crypto/data-key.ts";
export {
  createDataKey,
  createEncryptionIv,
  DATA_KEY_BYTES,
  decryptPayload,
  ENCRYPTION_IV_BYTES,
  ENCRYPTION_TAG_BYTES,
  encryptPayload,
} from "./crypto/payload-cipher.ts";

// Schemas
export {
  packKeyValue,
  packKeyValueSchema,
  unpackKeyValue,
  unpackKeyValueSchema,
} from "./schema-info/key-value-schema.ts";
export type { KeyValueBytes, KeyValueEncodingType, KeyValueSchema } from "./schema-info/key-value-schema.ts";
export type { SchemaInfo } from "./schema-info/schema-info.ts";
export { isSchemaType, SCHEMA_TYPES, schemaTypeFromWire, schemaTypeToWire } from "./schema-info/schema-type.ts";
export type { SchemaType } from "./schema-info/schema-type.ts";
export { schemaVersionFromBytes, schemaVersionToBytes } from "./schema-info/schema-version.ts";

// The messages of the protocol definition
export type {
  AuthData,
  BrokerEntryMetadata,
  ClusterMessageId,
  CommandAck,
  CommandAckResponse,
  CommandActiveConsumerChange,
  CommandAddPartitionToTxn,
  CommandAddPartitionToTxnResponse,
  CommandAddSubscriptionToTxn,
  CommandAddSubscriptionToTxnResponse,
  CommandAuthChallenge,
  CommandAuthResponse,
  CommandCloseConsumer,
  CommandCloseProducer,
  CommandConnect,
  CommandConnected,
  CommandConsumerStats,
  CommandConsumerStatsResponse,
  CommandEndTxn,
  CommandEndTxnOnPartition,
  CommandEndTxnOnPartitionResponse,
  CommandEndTxnOnSubscription,
  CommandEndTxnOnSubscriptionResponse,
  CommandEndTxnResponse,
  CommandError,
  CommandFlow,
  CommandGetLastMessageId,
  CommandGetLastMessageIdResponse,
  CommandGetOrCreateSchema,
  CommandGetOrCreateSchemaResponse,
  CommandGetSchema,
  CommandGetSchemaResponse,
  CommandGetTopicsOfNamespace,
  CommandGetTopicsOfNamespaceResponse,
  CommandLookupTopic,
  CommandLookupTopicResponse,
  CommandMessage,
  CommandNewTxn,
  CommandNewTxnResponse,
  CommandPartitionedTopicMetadata,
  CommandPartitionedTopicMetadataResponse,
  CommandPing,
  CommandPong,
  CommandProducer,
  CommandProducerSuccess,
  CommandReachedEndOfTopic,
  CommandRedeliverUnacknowledgedMessages,
  CommandSeek,
  CommandSend,
  CommandSendError,
  CommandSendReceipt,
  CommandSubscribe,
  CommandSuccess,
  CommandTcClientConnectRequest,
  CommandTcClientConnectResponse,
  CommandTopicMigrated,
  CommandUnsubscribe,
  CommandWatchTopicList,
  CommandWatchTopicListClose,
  CommandWatchTopicListSuccess,
  CommandWatchTopicUpdate,
  EncryptionKeys,
  FeatureFlags,
  IntRange,
  KeyLongValue,
  KeySharedMeta,
  KeyValue,
  MarkersMessageIdData,
  MessageIdData,
  MessageMetadata,
  ReplicatedSubscriptionsSnapshot,
  ReplicatedSubscriptionsSnapshotRequest,
  ReplicatedSubscriptionsSnapshotResponse,
  ReplicatedSubscriptionsUpdate,
  Schema,
  SingleMessageMetadata,
  Subscription,
} from "./gen/pulsar-api.js";
