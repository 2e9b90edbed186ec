// The client

// Values and schemas
export { MessageId } from "@pulsewire/protocol";
// Authentication
export type { Authentication, AuthenticationRequest } from "./auth/authentication.ts";
export type { TokenSource } from "./auth/token-authentication.ts";
export { TokenAuthentication } from "./auth/token-authentication.ts";
export type { CallOptions, ClientEvents, ConnectionEvent } from "./client.ts";
export { PulsarClient } from "./client.ts";
export type { TlsOptions } from "./connection/socket-dialer.ts";
// Consuming
export type {
  Acknowledgeable,
  ChunksDiscarded,
  Consumer,
  ConsumerEvents,
  ConsumerState,
  ConsumerStateChange,
  ReceiveOptions,
  SeekTarget,
  UnreadableMessage,
} from "./consumer/consumer.ts";
export type {
  ConsumerOptions,
  SubscriptionInitialPosition,
  SubscriptionMode,
  SubscriptionType,
} from "./consumer/consumer-options.ts";
export type { KeySharedPolicy, StickyHashRange } from "./consumer/key-shared-policy.ts";
// Errors
export type { OptionProblem, PulsarErrorCode, PulsarErrorContext } from "./errors.ts";
export {
  AlreadyClosedError,
  AuthenticationError,
  AuthorizationError,
  BrokerMetadataError,
  BrokerPersistenceError,
  ChecksumError,
  ConnectError,
  ConsumerAssignError,
  ConsumerBusyError,
  ConsumerNotFoundError,
  CryptoError,
  IncompatibleSchemaError,
  InvalidConfigurationError,
  InvalidMessageError,
  InvalidServiceUrlError,
  InvalidTopicNameError,
  InvalidTransactionStatusError,
  LookupError,
  MemoryBufferIsFullError,
  MessageTooBigError,
  NotAllowedError,
  NotConnectedError,
  NotSupportedError,
  ProducerBlockedQuotaExceededError,
  ProducerBusyError,
  ProducerFencedError,
  ProducerQueueIsFullError,
  PulsarError,
  SchemaSerializationError,
  ServiceNotReadyError,
  SubscriptionNotFoundError,
  TimeoutError,
  TooManyRequestsError,
  TopicMigratedError,
  TopicNotFoundError,
  TopicTerminatedError,
  TransactionConflictError,
  TransactionCoordinatorNotFoundError,
  TransactionNotFoundError,
  UnknownServerError,
  UnsupportedVersionError,
} from "./errors.ts";
export type { Message } from "./message.ts";
export type { ClientOptions } from "./options/client-options.ts";
// Producing
export type {
  CloseProducerOptions,
  Producer,
  ProducerEvents,
  ProducerState,
  ProducerStateChange,
  ProducerStats,
} from "./producer/producer.ts";
export type { ProducerMessage, SendOptions } from "./producer/producer-message.ts";
export type { ProducerAccessModeName, ProducerOptions } from "./producer/producer-options.ts";
// Reading
export type { Reader, ReaderEvents, ReaderState } from "./reader/reader.ts";
export type { ReaderOptions } from "./reader/reader-options.ts";
export type { BuiltInSchemas } from "./schema/schema.ts";
export { Schema } from "./schema/schema.ts";
export type { BackoffOptions } from "./session/backoff.ts";
export type { LogFields, Logger } from "./util/logger.ts";
export type { Listener } from "./util/typed-emitter.ts";
