/** Stable reasons for which bytes or values are refused. A closed set: new releases may add to it, never change one. */
export type ProtocolErrorCode =
  | "FRAME_TOO_LARGE"
  | "FRAME_TRUNCATED"
  | "INVALID_SIZE"
  | "INVALID_MAGIC"
  | "CHECKSUM_MISMATCH"
  | "INVALID_PROTOBUF"
  | "UNKNOWN_COMMAND"
  | "MISSING_FIELD"
  | "UNCOMPRESSED_SIZE"
  | "DECOMPRESSION_FAILED"
  | "COMPRESSION_FAILED"
  | "UNSUPPORTED_COMPRESSION"
  | "INVALID_BATCH"
  | "INVALID_MESSAGE_ID"
  | "INVALID_TOPIC_NAME"
  | "INVALID_SERVICE_URL"
  | "INVALID_SCHEMA"
  | "INVALID_MARKER"
  | "INVALID_WEBSOCKET_MESSAGE"
  | "INVALID_WEBSOCKET_URL"
  | "ENCRYPTION_FAILED"
  | "DECRYPTION_FAILED"
  | "INVALID_ENCRYPTION"
  | "INVALID_CHUNK"
  | "INVALID_ARGUMENT";

/** What may be known about a refusal besides its code and reason. */
export interface ProtocolErrorOptions {
  /** Offset in bytes from the start of the decoded input, where known. */
  readonly offset?: number;
  /** The error underneath, where there is one. */
  readonly cause?: unknown;
}

// A registered symbol, so that the ES module and the CommonJS copy recognise one another's errors.
const BRAND = Symbol.for("pulsewire.ProtocolError");

/**
 * Bytes, text or arguments that break a rule of the protocol. Everything in this package that refuses its input throws
 * this class and nothing else; match on {@link ProtocolError.code}, which is stable, not on the message.
 */
export class ProtocolError extends Error {
  override readonly name = "ProtocolError";
  /** Stable code of the refusal. */
  readonly code: ProtocolErrorCode;
  /** What was wrong, in words, without the offset. */
  readonly reason: string;
  /** Offset in bytes from the start of the decoded input; undefined where it has no meaning. */
  readonly offset: number | undefined;
  /** The same input gives the same error: never worth a retry. */
  readonly retryable = false;

  constructor(code: ProtocolErrorCode, reason: string, options: ProtocolErrorOptions = {}) {
    super(
      options.offset === undefined ? reason : `${reason} (at byte ${options.offset})`,
      options.cause === undefined ? undefined : { cause: options.cause },
    );
    this.code = code;
    this.reason = reason;
    this.offset = options.offset;
  }

  /** True for a ProtocolError of this or any other loaded copy of the package. */
  static isProtocolError(value: unknown): value is ProtocolError {
    return typeof value === "object" && value !== null && BRAND in value;
  }
}

// On the prototype, not as a field: isolated declarations cannot name a computed member.
Object.defineProperty(ProtocolError.prototype, BRAND, { value: true });
