import { BatchWriter, type Int64, type MessageId } from "@pulsewire/protocol";
import { batchMemory } from "./batch-memory.ts";
import type { OutgoingMessage } from "./outgoing-message.ts";
import type { SendReject, SendResolve } from "./send-op.ts";

/** Bounds of a batch. */
export interface BatchLimits {
  /** Messages. */
  readonly maxMessages: number;
  /** Bytes of payload, before compression. */
  readonly maxBytes: number;
}

/** Messages that share an entry, in the order in which they came. */
export interface Batch {
  readonly writer: BatchWriter;
  readonly first: OutgoingMessage;
  readonly firstSequenceId: Int64;
  readonly lastSequenceId: Int64;
  readonly startedAtMs: number;
  readonly publishTimeMs: number;
  readonly memoryBytes: number;
  readonly resolves: SendResolve<MessageId>[];
  readonly rejects: SendReject[];
}

type OpenBatch = { -readonly [K in keyof Batch]: Batch[K] };

/** Container bytes per message beside payload and text fields: a guess for the first batch's room only. */
const GUESSED_OVERHEAD_BYTES = 16;
const SMALLEST_CAPACITY_BYTES = 1024;

/**
 * Collects messages into the next batch, copying each payload at once: the application may reuse its buffer as soon as
 * `send()` returns. It knows no timer and no queue; when to {@link take} the batch is for the producer to say.
 */
export class BatchContainer {
  readonly #limits: BatchLimits;
  /** Bytes that the container with all its metadata may take, so that the entry fits into the broker's limit. */
  maxContainerBytes: number = Number.POSITIVE_INFINITY;
  #open: OpenBatch | undefined;
  #payloadBytes = 0;
  #capacityBytes = SMALLEST_CAPACITY_BYTES;

  constructor(limits: BatchLimits) {
    this.#limits = limits;
  }

  get isEmpty(): boolean {
    return this.#open === undefined;
  }

  /** Messages in the batch. */
  get count(): number {
    return this.#open?.resolves.length ?? 0;
  }

  /**
   * Whether a message may join. In a batch sequence ids rise: the broker judges a batch by its first and last id, and
   * would drop new messages together with repeated ones.
   */
  accepts(message: OutgoingMessage, sequenceId: Int64): boolean {
    const open = this.#open;
    return (
      open === undefined ||
      (sequenceId > open.lastSequenceId &&
        this.#payloadBytes + message.payload.length <= this.#limits.maxBytes &&
        // The key of the first message goes beside the container too.
        open.writer.sizeBytes + message.sizeBytes + open.first.sizeBytes - open.first.payload.length <=
          this.maxContainerBytes)
    );
  }

  /** No further message of any size may join. */
  get isFull(): boolean {
    return this.count >= this.#limits.maxMessages || this.#payloadBytes >= this.#limits.maxBytes;
  }

  /**
   * Adds a message that {@link accepts} has taken.
   *
   * @param startedAtMs monotonic milliseconds
   * @param publishTimeMs milliseconds since 1970, becomes the batch's if this is its first message
   */
  add(message: OutgoingMessage, sequenceId: Int64, startedAtMs: () => number, publishTimeMs: () => number): void {
    const open = this.#open ?? this.#start(message, sequenceId, startedAtMs, publishTimeMs);
    open.writer.add(message, message.payload);
    open.lastSequenceId = sequenceId;
    open.memoryBytes += message.sizeBytes;
    open.resolves.push(message.resolve);
    open.rejects.push(message.reject);
    this.#payloadBytes += message.payload.length;
  }

  /** Takes the batch out, leaving the container empty; undefined when it is empty already. */
  take(): Batch | undefined {
    const open = this.#open;
    if (open === undefined) return undefined;
    this.#open = undefined;
    this.#payloadBytes = 0;
    // The next batch is likely to be about as large as this one.
    this.#capacityBytes = Math.max(SMALLEST_CAPACITY_BYTES, open.writer.sizeBytes + (open.writer.sizeBytes >> 4));
    return open;
  }

  #start(
    message: OutgoingMessage,
    sequenceId: Int64,
    startedAtMs: () => number,
    publishTimeMs: () => number,
  ): OpenBatch {
    const capacity = Math.max(this.#capacityBytes, message.payload.length + GUESSED_OVERHEAD_BYTES);
    const open: OpenBatch = {
      writer: new BatchWriter(batchMemory.take(capacity)),
      first: message,
      firstSequenceId: sequenceId,
      lastSequenceId: sequenceId,
      startedAtMs: message.startedAtMs === 0 ? startedAtMs() : message.startedAtMs,
      publishTimeMs: publishTimeMs(),
      memoryBytes: 0,
      resolves: [],
      rejects: [],
    };
    this.#open = open;
    return open;
  }
}
