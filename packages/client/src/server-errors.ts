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

// Keyed by the numbers of the protocol. The type demands an entry for each, so a new one cannot be forgotten.
const CLASS_OF: Readonly<Record<ServerError, ErrorClass>> = {
  0: UnknownServerError,
  1: BrokerMetadataError,
  2: BrokerPersistenceError,
  3: AuthenticationError,
  4: AuthorizationError,
  5: ConsumerBusyError,
  6: ServiceNotReadyError,
  7: ProducerBlockedQuotaExceededError,
  8: ProducerBlockedQuotaExceededError,
  9: ChecksumError,
  10: UnsupportedVersionError,
  11: TopicNotFoundError,
  12: SubscriptionNotFoundError,
  13: ConsumerNotFoundError,
  14: TooManyRequestsError,
  15: TopicTerminatedError,
  16: ProducerBusyError,
  17: InvalidTopicNameError,
  18: IncompatibleSchemaError,
  19: ConsumerAssignError,
  20: TransactionCoordinatorNotFoundError,
  21: InvalidTransactionStatusError,
  22: NotAllowedError,
  23: TransactionConflictError,
  24: TransactionNotFoundError,
  25: ProducerFencedError,
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
  const known: Readonly<Record<number, ErrorClass>> = CLASS_OF;
  const Class = known[code] ?? UnknownServerError;
  return new Class(message === undefined || message === "" ? serverError : message, { ...context, serverError });
}
