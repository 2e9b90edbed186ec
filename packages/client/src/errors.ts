/** Stable codes of everything this package rejects or throws with. New releases may add to them, never change one. */
export type PulsarErrorCode =
  | "ALREADY_CLOSED"
  | "AUTHENTICATION"
  | "AUTHORIZATION"
  | "BROKER_METADATA"
  | "BROKER_PERSISTENCE"
  | "CHECKSUM"
  | "CONNECT"
  | "CONSUMER_ASSIGN"
  | "CONSUMER_BUSY"
  | "CONSUMER_NOT_FOUND"
  | "CRYPTO"
  | "INCOMPATIBLE_SCHEMA"
  | "INVALID_CONFIGURATION"
  | "INVALID_MESSAGE"
  | "INVALID_SERVICE_URL"
  | "INVALID_TOPIC_NAME"
  | "LOOKUP"
  | "MEMORY_BUFFER_IS_FULL"
  | "MESSAGE_TOO_BIG"
  | "NOT_ALLOWED"
  | "NOT_CONNECTED"
  | "NOT_SUPPORTED"
  | "PRODUCER_BLOCKED_QUOTA_EXCEEDED"
  | "PRODUCER_BUSY"
  | "PRODUCER_FENCED"
  | "PRODUCER_QUEUE_IS_FULL"
  | "SCHEMA_SERIALIZATION"
  | "SERVICE_NOT_READY"
  | "SUBSCRIPTION_NOT_FOUND"
  | "TIMEOUT"
  | "TOO_MANY_REQUESTS"
  | "TOPIC_MIGRATED"
  | "TOPIC_NOT_FOUND"
  | "TOPIC_TERMINATED"
  | "TRANSACTION_CONFLICT"
  | "TRANSACTION_COORDINATOR_NOT_FOUND"
  | "TRANSACTION_INVALID_STATUS"
  | "TRANSACTION_NOT_FOUND"
  | "UNKNOWN_SERVER_ERROR"
  | "UNSUPPORTED_VERSION";

/** What an error is about. */
export interface PulsarErrorContext {
  readonly topic?: string | undefined;
  readonly producerName?: string | undefined;
  readonly consumerName?: string | undefined;
  /** Name of the broker's ServerError, e.g. `ServiceNotReady`. */
  readonly serverError?: string | undefined;
  readonly cause?: unknown;
}

// A registered symbol, so that the ES module and the CommonJS copy recognise one another's errors.
const BRAND = Symbol.for("pulsewire.PulsarError");

/**
 * Base of all errors of this package. Match on {@link PulsarError.code}, which is stable, rather than on the message or
 * with `instanceof`: two copies of the package may be loaded.
 */
export abstract class PulsarError extends Error {
  /** Stable code of the failure. */
  abstract readonly code: PulsarErrorCode;
  /** Whether the same call may succeed later without anybody changing anything. */
  abstract readonly retryable: boolean;
  /** Name of the broker's ServerError; undefined when the failure did not come from a broker. */
  readonly serverError: string | undefined;
  /** Topic concerned, where there is one. */
  readonly topic: string | undefined;
  /** Producer concerned, where there is one. */
  readonly producerName: string | undefined;
  /** Consumer concerned, where there is one. */
  readonly consumerName: string | undefined;

  constructor(message: string, context: PulsarErrorContext = {}) {
    super(message, context.cause === undefined ? undefined : { cause: context.cause });
    this.serverError = context.serverError;
    this.topic = context.topic;
    this.producerName = context.producerName;
    this.consumerName = context.consumerName;
  }

  /** True for a PulsarError of this or any other loaded copy of the package. */
  static isPulsarError(value: unknown): value is PulsarError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}

// On the prototype, not as a field: isolated declarations cannot name a computed member.
Object.defineProperty(PulsarError.prototype, BRAND, { value: true });

/** No answer within the time allowed. */
export class TimeoutError extends PulsarError {
  override readonly name = "TimeoutError";
  readonly code = "TIMEOUT";
  readonly retryable = true;
}

/** The client, producer, consumer or reader is closed. */
export class AlreadyClosedError extends PulsarError {
  override readonly name = "AlreadyClosedError";
  readonly code = "ALREADY_CLOSED";
  readonly retryable = false;
}

/** The connection was lost before the answer came. */
export class NotConnectedError extends PulsarError {
  override readonly name = "NotConnectedError";
  readonly code = "NOT_CONNECTED";
  readonly retryable = true;
}

/** No connection could be made, or the peer broke the protocol. */
export class ConnectError extends PulsarError {
  override readonly name = "ConnectError";
  readonly code = "CONNECT";
  readonly retryable = true;
}

/** The broker of a topic could not be found, e.g. because redirects do not end. */
export class LookupError extends PulsarError {
  override readonly name = "LookupError";
  readonly code = "LOOKUP";
  readonly retryable = true;
}

/** The broker has too many lookups to answer. */
export class TooManyRequestsError extends PulsarError {
  override readonly name = "TooManyRequestsError";
  readonly code = "TOO_MANY_REQUESTS";
  readonly retryable = true;
}

/** The broker is starting, or does not serve the topic at the moment. */
export class ServiceNotReadyError extends PulsarError {
  override readonly name = "ServiceNotReadyError";
  readonly code = "SERVICE_NOT_READY";
  readonly retryable = true;
}

/** The broker does not accept the credentials, or the client could not obtain any. */
export class AuthenticationError extends PulsarError {
  override readonly name = "AuthenticationError";
  readonly code = "AUTHENTICATION";
  readonly retryable = false;
}

/** The principal may not do this. */
export class AuthorizationError extends PulsarError {
  override readonly name = "AuthorizationError";
  readonly code = "AUTHORIZATION";
  readonly retryable = false;
}

/** The topic, or its namespace, does not exist and is not created by asking. */
export class TopicNotFoundError extends PulsarError {
  override readonly name = "TopicNotFoundError";
  readonly code = "TOPIC_NOT_FOUND";
  readonly retryable = false;
}

/** The subscription does not exist and is not created by asking. */
export class SubscriptionNotFoundError extends PulsarError {
  override readonly name = "SubscriptionNotFoundError";
  readonly code = "SUBSCRIPTION_NOT_FOUND";
  readonly retryable = false;
}

/** The broker does not know the consumer. */
export class ConsumerNotFoundError extends PulsarError {
  override readonly name = "ConsumerNotFoundError";
  readonly code = "CONSUMER_NOT_FOUND";
  readonly retryable = true;
}

/** Somebody else is on the subscription in a way that excludes this consumer. */
export class ConsumerBusyError extends PulsarError {
  override readonly name = "ConsumerBusyError";
  readonly code = "CONSUMER_BUSY";
  readonly retryable = false;
}

/** The broker could not give the consumer its share, e.g. for overlapping hash ranges. */
export class ConsumerAssignError extends PulsarError {
  override readonly name = "ConsumerAssignError";
  readonly code = "CONSUMER_ASSIGN";
  readonly retryable = false;
}

/** Another producer has this name, or the topic to itself. */
export class ProducerBusyError extends PulsarError {
  override readonly name = "ProducerBusyError";
  readonly code = "PRODUCER_BUSY";
  readonly retryable = false;
}

/** Another producer took the topic for itself. Final. */
export class ProducerFencedError extends PulsarError {
  override readonly name = "ProducerFencedError";
  readonly code = "PRODUCER_FENCED";
  readonly retryable = false;
}

/** The backlog quota of the topic is used up. */
export class ProducerBlockedQuotaExceededError extends PulsarError {
  override readonly name = "ProducerBlockedQuotaExceededError";
  readonly code = "PRODUCER_BLOCKED_QUOTA_EXCEEDED";
  readonly retryable = true;
}

/** maxPendingMessages messages wait for their receipts already. */
export class ProducerQueueIsFullError extends PulsarError {
  override readonly name = "ProducerQueueIsFullError";
  readonly code = "PRODUCER_QUEUE_IS_FULL";
  readonly retryable = true;
}

/** The messages that wait to be sent hold memoryLimitBytes already. */
export class MemoryBufferIsFullError extends PulsarError {
  override readonly name = "MemoryBufferIsFullError";
  readonly code = "MEMORY_BUFFER_IS_FULL";
  readonly retryable = true;
}

/** The message, with its metadata, does not fit into the broker's maximum message size. */
export class MessageTooBigError extends PulsarError {
  override readonly name = "MessageTooBigError";
  readonly code = "MESSAGE_TOO_BIG";
  readonly retryable = false;
}

/** A message that cannot be sent as it is, or that was received and cannot be read. */
export class InvalidMessageError extends PulsarError {
  override readonly name = "InvalidMessageError";
  readonly code = "INVALID_MESSAGE";
  readonly retryable = false;
}

/** The topic is terminated: it takes no more messages. Final. */
export class TopicTerminatedError extends PulsarError {
  override readonly name = "TopicTerminatedError";
  readonly code = "TOPIC_TERMINATED";
  readonly retryable = false;
}

/** The topic has moved to another cluster. */
export class TopicMigratedError extends PulsarError {
  override readonly name = "TopicMigratedError";
  readonly code = "TOPIC_MIGRATED";
  readonly retryable = true;
}

/** The schema is not compatible with the topic's. */
export class IncompatibleSchemaError extends PulsarError {
  override readonly name = "IncompatibleSchemaError";
  readonly code = "INCOMPATIBLE_SCHEMA";
  readonly retryable = false;
}

/** A schema could not turn a value into bytes, or bytes into a value. */
export class SchemaSerializationError extends PulsarError {
  override readonly name = "SchemaSerializationError";
  readonly code = "SCHEMA_SERIALIZATION";
  readonly retryable = false;
}

/** A message was damaged on its way. */
export class ChecksumError extends PulsarError {
  override readonly name = "ChecksumError";
  readonly code = "CHECKSUM";
  readonly retryable = false;
}

/** A message could not be encrypted or decrypted. */
export class CryptoError extends PulsarError {
  override readonly name = "CryptoError";
  readonly code = "CRYPTO";
  readonly retryable = false;
}

/** Not a service URL such as `pulsar://host:6650`. */
export class InvalidServiceUrlError extends PulsarError {
  override readonly name = "InvalidServiceUrlError";
  readonly code = "INVALID_SERVICE_URL";
  readonly retryable = false;
}

/** Not a topic name. */
export class InvalidTopicNameError extends PulsarError {
  override readonly name = "InvalidTopicNameError";
  readonly code = "INVALID_TOPIC_NAME";
  readonly retryable = false;
}

/** The broker refuses this operation here. */
export class NotAllowedError extends PulsarError {
  override readonly name = "NotAllowedError";
  readonly code = "NOT_ALLOWED";
  readonly retryable = false;
}

/** This release of the client, or this broker, cannot do that. */
export class NotSupportedError extends PulsarError {
  override readonly name = "NotSupportedError";
  readonly code = "NOT_SUPPORTED";
  readonly retryable = false;
}

/** The broker failed to read or write metadata. */
export class BrokerMetadataError extends PulsarError {
  override readonly name = "BrokerMetadataError";
  readonly code = "BROKER_METADATA";
  readonly retryable = true;
}

/** The broker failed to store or load messages. */
export class BrokerPersistenceError extends PulsarError {
  override readonly name = "BrokerPersistenceError";
  readonly code = "BROKER_PERSISTENCE";
  readonly retryable = true;
}

/** The broker needs a newer protocol for this. */
export class UnsupportedVersionError extends PulsarError {
  override readonly name = "UnsupportedVersionError";
  readonly code = "UNSUPPORTED_VERSION";
  readonly retryable = false;
}

/** Another transaction has acknowledged the message. */
export class TransactionConflictError extends PulsarError {
  override readonly name = "TransactionConflictError";
  readonly code = "TRANSACTION_CONFLICT";
  readonly retryable = false;
}

/** The transaction coordinator is not on this broker. */
export class TransactionCoordinatorNotFoundError extends PulsarError {
  override readonly name = "TransactionCoordinatorNotFoundError";
  readonly code = "TRANSACTION_COORDINATOR_NOT_FOUND";
  readonly retryable = true;
}

/** The transaction has ended or is ending. */
export class InvalidTransactionStatusError extends PulsarError {
  override readonly name = "InvalidTransactionStatusError";
  readonly code = "TRANSACTION_INVALID_STATUS";
  readonly retryable = false;
}

/** No such transaction: it expired or has ended. */
export class TransactionNotFoundError extends PulsarError {
  override readonly name = "TransactionNotFoundError";
  readonly code = "TRANSACTION_NOT_FOUND";
  readonly retryable = false;
}

/** The broker failed without saying why, or in a way this release does not know. */
export class UnknownServerError extends PulsarError {
  override readonly name = "UnknownServerError";
  readonly code = "UNKNOWN_SERVER_ERROR";
  readonly retryable = true;
}

/** One option that cannot be used as given. */
export interface OptionProblem {
  /** Name of the option, with a dot for one inside another: `tls.ca`. */
  readonly option: string;
  /** What was given, as text. */
  readonly given: string;
  /** What is accepted, e.g. `an integer from 1`. */
  readonly expected: string;
}

/** Options that cannot be used; lists every bad one at once. */
export class InvalidConfigurationError extends PulsarError {
  override readonly name = "InvalidConfigurationError";
  readonly code = "INVALID_CONFIGURATION";
  readonly retryable = false;
  /** Every problem found, in the order of the options. */
  readonly problems: readonly OptionProblem[];

  constructor(subject: string, problems: readonly OptionProblem[]) {
    const list = problems.map(({ option, given, expected }) => `${option} must be ${expected}, got ${given}`);
    super(`invalid ${subject}: ${list.join("; ")}`);
    this.problems = problems;
  }
}
