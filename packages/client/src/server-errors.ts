import type { ServerError } from "@pulsewire/protocol";
import { serverErrorName } from "@pulsewire/protocol";
import {
  AuthenticationError,
  AuthorizationError,
  BrokerMetadataError,
  BrokerPersistenceError,
  ChecksumError,
  ConsumerAssignError,
  ConsumerBusyError,
  ConsumerNotFoundError,
  IncompatibleSchemaError,
  InvalidTopicNameError,
  InvalidTransactionStatusError,
  NotAllowedError,
  ProducerBlockedQuotaExceededError,
  ProducerBusyError,
  ProducerFencedError,
  type PulsarError,
  type PulsarErrorContext,
  ServiceNotReadyError,
  SubscriptionNotFoundError,
  TooManyRequestsError,
  TopicNotFoundError,
  TopicTerminatedError,
  TransactionConflictError,
  TransactionCoordinatorNotFoundError,
  TransactionNotFoundError,
  UnknownServerError,
  UnsupportedVersionError,
} from "./errors.ts";

type ErrorClass = new (message: string, context?: PulsarErrorContext) => PulsarError;

// The type demands an entry for each ServerError of the protocol, so that a new one cannot be forgotten.
const CLASS_OF: Readonly<Record<keyof typeof ServerError, ErrorClass>> = {
  UnknownError: UnknownServerError,
  MetadataError: BrokerMetadataError,
  PersistenceError: BrokerPersistenceError,
  AuthenticationError: AuthenticationError,
  AuthorizationError: AuthorizationError,
  ConsumerBusy: ConsumerBusyError,
  ServiceNotReady: ServiceNotReadyError,
  ProducerBlockedQuotaExceededError: ProducerBlockedQuotaExceededError,
  ProducerBlockedQuotaExceededException: ProducerBlockedQuotaExceededError,
  ChecksumError: ChecksumError,
  UnsupportedVersionError: UnsupportedVersionError,
  TopicNotFound: TopicNotFoundError,
  SubscriptionNotFound: SubscriptionNotFoundError,
  ConsumerNotFound: ConsumerNotFoundError,
  TooManyRequests: TooManyRequestsError,
  TopicTerminatedError: TopicTerminatedError,
  ProducerBusy: ProducerBusyError,
  InvalidTopicName: InvalidTopicNameError,
  IncompatibleSchema: IncompatibleSchemaError,
  ConsumerAssignError: ConsumerAssignError,
  TransactionCoordinatorNotFound: TransactionCoordinatorNotFoundError,
  InvalidTxnStatus: InvalidTransactionStatusError,
  NotAllowedError: NotAllowedError,
  TransactionConflict: TransactionConflictError,
  TransactionNotFound: TransactionNotFoundError,
  ProducerFenced: ProducerFencedError,
};

/**
 * The typed error for a broker's ServerError. Numbers that this release does not know become UnknownServerError.
 *
 * @param message the broker's own words; may be empty
 */
export function fromServerError(
  code: number,
  message: string | undefined,
  context: Omit<PulsarErrorContext, "serverError"> = {},
): PulsarError {
  const serverError = serverErrorName(code);
  const Class = CLASS_OF[serverError as keyof typeof ServerError] ?? UnknownServerError;
  return new Class(message === undefined || message === "" ? serverError : message, { ...context, serverError });
}
