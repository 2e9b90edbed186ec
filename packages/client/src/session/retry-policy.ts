import { PulsarError, type PulsarErrorCode } from "../errors.ts";

// Whoever has been attached may meet its own ghost after a reconnect, or a token that is just being renewed.
const RETRIED_ONCE_ATTACHED: ReadonlySet<PulsarErrorCode> = new Set([
  "PRODUCER_BUSY",
  "CONSUMER_BUSY",
  "AUTHENTICATION",
] as const);

/**
 * Whether a failed attempt to attach ends the session, as the Java client decides it: errors that time does not heal
 * are final, with the exception of those that only a first attempt can take at their word. Anything that is not a
 * PulsarError is a defect and final too: repeating it would only hide it.
 *
 * @param isFirst the session has never been ready
 */
export function isFinal(error: unknown, isFirst: boolean): boolean {
  if (!PulsarError.isPulsarError(error)) return true;
  if (error.retryable) return false;
  return isFirst || !RETRIED_ONCE_ATTACHED.has(error.code);
}
