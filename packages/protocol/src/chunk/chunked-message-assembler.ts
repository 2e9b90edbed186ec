import { ProtocolError } from "../errors.ts";
import { MessageId } from "../message-id/message-id.ts";
import { PartialMessage } from "./partial-message.ts";

/** One received chunk: what its metadata says, its id, and its payload after decryption and before decompression. */
export interface ChunkPart {
  readonly uuid: string;
  readonly chunkId: number;
  /** `num_chunks_from_msg` */
  readonly numChunks: number;
  /** `total_chunk_msg_size` */
  readonly totalSizeBytes: number;
  readonly messageId: MessageId;
  /** Copied: may be a view into a buffer that is used again. */
  readonly payload: Uint8Array;
}

/**
 * Why an unfinished message was given up:
 * - `restarted`: its first chunk came again with another id, so the producer sent it anew; acknowledge the old ids.
 * - `gap`: a chunk is missing in between; leave the ids unacknowledged, the broker delivers them again.
 * - `evicted`: too many messages were unfinished and this was the oldest; acknowledge or redeliver by the user's setting.
 * - `expired`: it did not become complete in time; acknowledge.
 * - `invalid`: its chunks contradict one another or their limits; acknowledge with a validation error or redeliver.
 */
export type ChunkDiscardReason = "restarted" | "gap" | "evicted" | "expired" | "invalid";

/** An unfinished message that was given up. */
export interface DiscardedChunks {
  readonly reason: ChunkDiscardReason;
  readonly uuid: string;
  /** Ids of its chunks received so far, in order, with the one that showed the defect last. */
  readonly messageIds: readonly MessageId[];
  /** What is wrong, for reason `invalid`. */
  readonly error?: ProtocolError;
}

/**
 * What became of a chunk:
 * - `incomplete`: kept; more are to come. Its permit goes back at once.
 * - `complete`: the message is whole.
 * - `duplicate`: has been received already; `acknowledge` is true when this copy has an id of its own, to be acknowledged.
 * - `dropped`: nothing can be made of it, see `discarded`.
 *
 * Every outcome carries the messages given up on the way.
 */
export type ChunkOutcome =
  | { readonly kind: "incomplete"; readonly discarded: readonly DiscardedChunks[] }
  | { readonly kind: "dropped"; readonly discarded: readonly DiscardedChunks[] }
  | { readonly kind: "duplicate"; readonly acknowledge: boolean; readonly discarded: readonly DiscardedChunks[] }
  | {
      readonly kind: "complete";
      readonly discarded: readonly DiscardedChunks[];
      /** The whole payload, owned by the caller. */
      readonly payload: Uint8Array;
      /** Id of the message: the last chunk's, carrying the first chunk's. */
      readonly messageId: MessageId;
      /** Ids of all chunks in order: acknowledging or redelivering the message names them all. */
      readonly chunkMessageIds: readonly MessageId[];
    };

/** Limits of an assembler. */
export interface ChunkedMessageAssemblerOptions {
  /** Unfinished messages kept at a time; one more gives up the oldest. Default 10, 0 for no limit. */
  readonly maxPendingMessages?: number;
  /** Age in ms, counted from the first chunk, at which an unfinished message is given up. Default 60 000, 0 for never. */
  readonly expireAfterMs?: number;
  /** Most bytes that a whole message may claim, default 2^31 - 1. */
  readonly maxTotalSizeBytes?: number;
}

/**
 * Puts chunked messages together for one consumer. Chunks of different producers may interleave; those of one message come
 * in order. No I/O and no clock: the caller passes the time and acts on what is returned.
 */
export class ChunkedMessageAssembler {
  readonly #maxPending: number;
  readonly #expireAfterMs: number;
  readonly #maxTotal: number;
  /** By uuid, oldest first. */
  readonly #pending = new Map<string, PartialMessage>();

  /** @throws ProtocolError `INVALID_ARGUMENT` naming the option */
  constructor(options: ChunkedMessageAssemblerOptions = {}) {
    this.#maxPending = checked("maxPendingMessages", options.maxPendingMessages ?? 10);
    this.#expireAfterMs = checked("expireAfterMs", options.expireAfterMs ?? 60_000);
    this.#maxTotal = checked("maxTotalSizeBytes", options.maxTotalSizeBytes ?? 0x7fffffff);
  }

  /** Messages of which some chunks have come and some have not. */
  get pendingMessages(): number {
    return this.#pending.size;
  }

  /** Bytes held for unfinished messages. */
  get pendingBytes(): number {
    let bytes = 0;
    for (const message of this.#pending.values()) bytes += message.heldBytes;
    return bytes;
  }

  /** Takes one chunk. Never throws for what a peer may send. */
  add(part: ChunkPart, nowMs: number): ChunkOutcome {
    const discarded = [...this.expire(nowMs)];
    const known = this.#pending.get(part.uuid);
    if (part.chunkId === 0 && known !== undefined && !known.contains(part.messageId)) {
      discarded.push(this.#discard(known, "restarted"));
    } else if (known !== undefined && part.chunkId < known.nextChunkId) {
      return { kind: "duplicate", acknowledge: !known.contains(part.messageId), discarded };
    }
    const message = this.#pending.get(part.uuid) ?? this.#start(part, nowMs, discarded);
    if (message === undefined) return { kind: "dropped", discarded };
    if (part.chunkId !== message.nextChunkId) {
      discarded.push(this.#discard(message, "gap", part));
      return { kind: "dropped", discarded };
    }
    const error = message.append(part);
    if (error !== undefined) {
      discarded.push(this.#discard(message, "invalid", part, error));
      return { kind: "dropped", discarded };
    }
    if (!message.isComplete) return { kind: "incomplete", discarded };
    this.#pending.delete(part.uuid);
    return { kind: "complete", discarded, ...wholeOf(message) };
  }

  /** Gives up the unfinished messages that are too old. */
  expire(nowMs: number): DiscardedChunks[] {
    const discarded: DiscardedChunks[] = [];
    if (this.#expireAfterMs === 0) return discarded;
    for (const message of this.#pending.values()) {
      if (nowMs - message.startedAtMs < this.#expireAfterMs) break;
      discarded.push(this.#discard(message, "expired"));
    }
    return discarded;
  }

  /** Forgets all unfinished messages: after a seek, a reconnect or a close the broker delivers their chunks again. */
  clear(): void {
    this.#pending.clear();
  }

  #start(part: ChunkPart, nowMs: number, discarded: DiscardedChunks[]): PartialMessage | undefined {
    const { uuid, messageId } = part;
    const error = PartialMessage.check(part, this.#maxTotal);
    if (error !== undefined) {
      discarded.push({ reason: "invalid", uuid, messageIds: [messageId], error });
      return undefined;
    }
    if (part.chunkId !== 0) {
      discarded.push({ reason: "gap", uuid, messageIds: [messageId] });
      return undefined;
    }
    if (this.#maxPending > 0 && this.#pending.size >= this.#maxPending) {
      for (const oldest of this.#pending.values()) {
        discarded.push(this.#discard(oldest, "evicted"));
        break;
      }
    }
    const message = new PartialMessage(part, nowMs);
    this.#pending.set(uuid, message);
    return message;
  }

  #discard(
    message: PartialMessage,
    reason: ChunkDiscardReason,
    last?: ChunkPart,
    error?: ProtocolError,
  ): DiscardedChunks {
    this.#pending.delete(message.uuid);
    return {
      reason,
      uuid: message.uuid,
      messageIds: last === undefined ? message.messageIds : [...message.messageIds, last.messageId],
      ...(error === undefined ? {} : { error }),
    };
  }
}

function wholeOf(message: PartialMessage): {
  readonly payload: Uint8Array;
  readonly messageId: MessageId;
  readonly chunkMessageIds: readonly MessageId[];
} {
  const ids = message.messageIds;
  const [first] = ids;
  const last = ids.at(-1);
  if (first === undefined || last === undefined)
    throw new ProtocolError("INVALID_CHUNK", "a whole message has no chunk");
  const messageId = new MessageId(last.ledger, last.entry, last.partitionIndex, -1, 0, first, last.topic);
  return { payload: message.payload(), messageId, chunkMessageIds: ids };
}

function checked(option: string, value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) {
    throw new ProtocolError("INVALID_ARGUMENT", `${option} must be an integer from 0 on, got ${value}`);
  }
  return value;
}
