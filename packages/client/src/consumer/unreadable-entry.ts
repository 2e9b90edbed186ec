import {
  type CommandMessage,
  decodeMessageMetadata,
  type Int64,
  type MessageMetadata,
  ProtocolError,
  type ProtocolErrorCode,
  readPayloadPart,
  ValidationError,
  verifyChecksum,
} from "@pulsewire/protocol";
import { ChecksumError, CryptoError, InvalidMessageError, type PulsarError } from "../errors.ts";

/** Why an entry cannot be read, and what the broker is told. */
export interface UnreadableEntry {
  readonly ledger: Int64;
  readonly entry: Int64;
  readonly error: PulsarError;
  /**
   * Reason for an ACK with `validation_error`, after which the entry never comes again. Undefined where another client,
   * or this one with another configuration, could read it: then it stays unacknowledged.
   */
  readonly validationError: number | undefined;
  /** Permits that the entry took and that come back. */
  readonly permits: number;
}

/** What a ProtocolError of the checksum or of the frame, the decompression or the batch means for its entry. */
export function toUnreadable(message: CommandMessage, cause: unknown, permits: number, topic: string): UnreadableEntry {
  const { ledgerId: ledger, entryId: entry } = message.messageId;
  const reason = cause instanceof Error ? cause.message : String(cause);
  const text = `entry ${ledger}:${entry} cannot be read: ${reason}`;
  const code = ProtocolError.isProtocolError(cause) ? cause.code : undefined;
  const validationError = toValidationError(code);
  const ErrorClass = code === "CHECKSUM_MISMATCH" ? ChecksumError : InvalidMessageError;
  return { ledger, entry, error: new ErrorClass(text, { topic, cause }), validationError, permits };
}

/** An encrypted entry: it stays unacknowledged for a consumer with the key. */
export function toUndecryptable(message: CommandMessage, permits: number, topic: string): UnreadableEntry {
  const { ledgerId: ledger, entryId: entry } = message.messageId;
  const error = new CryptoError(`entry ${ledger}:${entry} is encrypted and there is no key to read it`, { topic });
  return { ledger, entry, error, validationError: undefined, permits };
}

/**
 * Permits that the broker counted for an entry: one a message, without those that its `ack_set` says are acknowledged
 * already.
 */
export function permitsOf(metadata: MessageMetadata, ackSet: readonly Int64[] | undefined): number {
  const { numMessagesInBatch } = metadata;
  if (numMessagesInBatch === undefined || numMessagesInBatch < 1) return 1;
  return ackSet === undefined ? numMessagesInBatch : countOnes(ackSet, numMessagesInBatch);
}

/** Permits of an entry that is not decoded, or cannot be: read from its metadata if that is readable, else one. */
export function permitsOfBytes(message: CommandMessage, buffer: Uint8Array, start: number, end: number): number {
  try {
    const part = readPayloadPart(buffer, start, end);
    const metadata = decodeMessageMetadata(buffer, part.metadataStart, part.metadataEnd);
    const permits = permitsOf(metadata, message.ackSet);
    // A message of a batch takes at least six bytes before compression. A batch that claims more was counted by the
    // broker as it claims, unless it was damaged on the way: the check then throws.
    if (metadata.compression === undefined && permits > (end - start) / 6) verifyChecksum(buffer, part);
    return permits;
  } catch {
    return 1;
  }
}

function toValidationError(code: ProtocolErrorCode | undefined): number | undefined {
  if (code === "UNSUPPORTED_COMPRESSION") return undefined;
  if (code === "UNCOMPRESSED_SIZE") return ValidationError.UncompressedSizeCorruption;
  if (code === "DECOMPRESSION_FAILED") return ValidationError.DecompressionError;
  return code === "INVALID_BATCH" ? ValidationError.BatchDeSerializeError : ValidationError.ChecksumMismatch;
}

function countOnes(words: readonly Int64[], limit: number): number {
  let count = 0;
  words.forEach((word, place) => {
    const size = Math.min(64, limit - place * 64);
    if (size > 0) for (let bits = BigInt.asUintN(size, BigInt(word)); bits !== 0n; bits &= bits - 1n) count += 1;
  });
  return count;
}
