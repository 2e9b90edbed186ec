// Bytes and values

// Message ids and acknowledgements
export { AckSet } from "./ack-set/ack-set.ts";
export { BatchReader } from "./batch/batch-reader.ts";
export type { BatchPayload } from "./batch/batch-writer.ts";
export { BatchWriter } from "./batch/batch-writer.ts";
export type { SingleMessageFields } from "./batch/single-message-metadata.ts";
export { crc32c, setCrc32c } from "./checksum/crc32c.ts";
export type { ChunkBounds } from "./chunk/chunk-plan.ts";
export { chunkUuid, planChunks } from "./chunk/chunk-plan.ts";
// Chunks
export type {
  ChunkDiscardReason,
  ChunkedMessageAssemblerOptions,
  ChunkOutcome,
  ChunkPart,
  DiscardedChunks,
} from "./chunk/chunked-message-assembler.ts";
export { ChunkedMessageAssembler } from "./chunk/chunked-message-assembler.ts";
export type { Command, CommandBodies, CommandType } from "./command/command.ts";
// Commands
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
  SubType,
  serverErrorName,
  TopicsMode,
  TxnAction,
  ValidationError,
} from "./command/enums.ts";
// Compression
export type { CompressionCodec, CompressionType } from "./compression/codec.ts";
export {
  COMPRESSION_TYPES,
  compressionTypeFromWire,
  compressionTypeToWire,
  decompressPayload,
} from "./compression/codec.ts";
export { CompressionRegistry, compressionRegistry } from "./compression/registry.ts";
export type { Entry } from "./entry/decode-entry.ts";
// Entries: metadata, payload, batches
export { decodeEntry } from "./entry/decode-entry.ts";
export { encodeMessageFrame } from "./entry/message-frame.ts";
export { encodeSendFrame } from "./entry/send-frame.ts";
export type { ProtocolErrorCode, ProtocolErrorOptions } from "./errors.ts";
export { ProtocolError } from "./errors.ts";
export type { FrameDecoderOptions, FrameView } from "./frame/frame-decoder.ts";
// Frames
export { FrameDecoder } from "./frame/frame-decoder.ts";
export { DEFAULT_MAX_MESSAGE_SIZE_BYTES, FRAME_OVERHEAD_BYTES } from "./frame/limits.ts";
export type { PayloadPart } from "./frame/payload-part.ts";
export { readPayloadPart, verifyChecksum } from "./frame/payload-part.ts";
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
export type { Int64 } from "./int64/int64.ts";
export { compareInt64, INT64_MAX, toBigInt, toInt64 } from "./int64/int64.ts";
export type { MessageIdFields, MessageIdJson } from "./message-id/message-id.ts";
export { MessageId } from "./message-id/message-id.ts";
export { decodeBrokerEntryMetadata, encodeBrokerEntryMetadata } from "./metadata/broker-entry-metadata.ts";
export { decodeMessageMetadata } from "./metadata/message-metadata-decoder.ts";
export { encodeMessageMetadata, sizeofMessageMetadata } from "./metadata/message-metadata-encoder.ts";
export type { ServiceHost, ServiceUrl, ServiceUrlScheme } from "./service-url/service-url.ts";
export { formatServiceHost, formatServiceUrl, parseServiceUrl } from "./service-url/service-url.ts";
export { NamespaceName } from "./topic/namespace-name.ts";
export { topicListHash } from "./topic/topic-list-hash.ts";
export type { TopicDomain } from "./topic/topic-name.ts";
export { TopicName } from "./topic/topic-name.ts";
