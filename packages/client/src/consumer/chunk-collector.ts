import {
  type ChunkDiscardReason,
  ChunkedMessageAssembler,
  type DiscardedChunks,
  type Int64,
  MessageId,
  type MessageMetadata,
} from "@pulsewire/protocol";
import type { Clock, Timer } from "../util/clock.ts";
import { EntryMap } from "./entry-map.ts";
import type { EntryPosition } from "./negative-acks.ts";
import type { ChunkPositions, EntrySource } from "./received-entry.ts";

/** What a collector works with. */
export interface ChunkCollectorOptions {
  readonly source: EntrySource<unknown>;
  readonly clock: Clock;
  readonly maxPendingChunkedMessages: number;
  readonly expireTimeOfIncompleteChunkedMessageMs: number;
  readonly autoAckOldestChunkedMessageOnQueueFull: boolean;
  readonly acknowledge: (ledger: Int64, entry: Int64) => void;
  /** Told of messages that will not be completed, after what is to be acknowledged of them was. */
  readonly onDiscarded: (discarded: DiscardedChunks, isAcknowledged: boolean) => void;
}

/** A chunked message that is complete; its payload is still compressed. */
export interface CollectedMessage {
  readonly payload: Buffer;
  readonly positions: ChunkPositions;
}

/** Messages whose chunk positions are remembered at most, for acknowledging them by id. */
const MAX_REMEMBERED = 10_000;

/**
 * Puts the chunks of one consumer together, gives up what stays incomplete, and remembers which entries a chunked message
 * consists of: whoever acknowledges its id acknowledges them all.
 */
export class ChunkCollector {
  readonly #options: ChunkCollectorOptions;
  readonly #assembler: ChunkedMessageAssembler;
  /** First chunks of the incomplete messages, oldest first. */
  readonly #firstChunks: Map<string, MessageId> = new Map();
  readonly #delivered: EntryMap<readonly EntryPosition[]> = new EntryMap();
  #timer: Timer | undefined;

  constructor(options: ChunkCollectorOptions) {
    this.#options = options;
    this.#assembler = new ChunkedMessageAssembler({
      maxPendingMessages: options.maxPendingChunkedMessages,
      expireAfterMs: options.expireTimeOfIncompleteChunkedMessageMs,
    });
  }

  /** First chunk of the oldest incomplete message. */
  get oldestFirstChunk(): MessageId | undefined {
    for (const id of this.#firstChunks.values()) return id;
    return undefined;
  }

  /** Takes a chunk; returns the message that it completes. The permit of any other chunk is free at once. */
  add(ledger: Int64, entry: Int64, metadata: MessageMetadata, payload: Uint8Array): CollectedMessage | undefined {
    const { source, clock, acknowledge } = this.#options;
    const uuid = metadata.uuid ?? "";
    const chunkId = metadata.chunkId ?? -1;
    const messageId = new MessageId(ledger, entry, source.partitionIndex, -1, 0, undefined, source.topic);
    const outcome = this.#assembler.add(
      {
        uuid,
        chunkId,
        numChunks: metadata.numChunksFromMsg ?? -1,
        totalSizeBytes: metadata.totalChunkMsgSize ?? -1,
        messageId,
        payload,
      },
      clock.monotonicNow(),
    );
    for (const discarded of outcome.discarded) this.#giveUp(discarded, metadata);
    switch (outcome.kind) {
      case "incomplete":
        if (chunkId === 0) this.#firstChunks.set(uuid, messageId);
        this.#arm();
        return undefined;
      case "duplicate":
        if (outcome.acknowledge) acknowledge(ledger, entry);
        return undefined;
      case "dropped":
        return undefined;
      case "complete":
        this.#firstChunks.delete(uuid);
        return this.#complete(outcome.payload, outcome.chunkMessageIds, messageId);
    }
  }

  /** The entries of a chunked message that was delivered, by the position of its last chunk. */
  positionsOf(ledger: Int64, entry: Int64): readonly EntryPosition[] | undefined {
    return this.#delivered.get(ledger, entry);
  }

  /** Forgets a delivered message: it was acknowledged. */
  forget(ledger: Int64, entry: Int64): void {
    this.#delivered.delete(ledger, entry);
  }

  /** Forgets what is incomplete: the broker delivers the chunks again, or the consumer is closed. */
  clear(): void {
    this.#assembler.clear();
    this.#firstChunks.clear();
    this.#options.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #complete(payload: Uint8Array, ids: readonly MessageId[], last: MessageId): CollectedMessage {
    const all = ids.map((id) => ({ ledger: id.ledger, entry: id.entry }));
    if (this.#delivered.size >= MAX_REMEMBERED) this.#delivered.deleteOldest();
    this.#delivered.set(last.ledger, last.entry, all);
    return {
      payload: Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength),
      positions: { firstChunkMessageId: ids[0] ?? last, all },
    };
  }

  /** @param metadata of the chunk that showed it, if one did */
  #giveUp(discarded: DiscardedChunks, metadata: MessageMetadata | undefined): void {
    const { acknowledge, onDiscarded } = this.#options;
    this.#firstChunks.delete(discarded.uuid);
    const isAcknowledged = this.#isLost(discarded.reason, metadata);
    if (isAcknowledged) for (const { ledger, entry } of discarded.messageIds) acknowledge(ledger, entry);
    onDiscarded(discarded, isAcknowledged);
  }

  #isLost(reason: ChunkDiscardReason, metadata: MessageMetadata | undefined): boolean {
    const {
      clock,
      expireTimeOfIncompleteChunkedMessageMs: expireMs,
      autoAckOldestChunkedMessageOnQueueFull,
    } = this.#options;
    switch (reason) {
      case "restarted":
      case "expired":
      case "invalid":
        return true;
      case "evicted":
        return autoAckOldestChunkedMessageOnQueueFull;
      case "gap":
        // A chunk whose predecessors are gone would come again for ever.
        return metadata !== undefined && expireMs > 0 && clock.now() - Number(metadata.publishTime) > expireMs;
    }
  }

  /** One timer while anything is incomplete: messages expire also when nothing more arrives. */
  #arm(): void {
    const { clock, expireTimeOfIncompleteChunkedMessageMs: expireMs } = this.#options;
    if (expireMs > 0 && this.#assembler.pendingMessages > 0) {
      this.#timer ??= clock.setTimeout(() => this.#onTimer(), expireMs);
    }
  }

  #onTimer(): void {
    this.#timer = undefined;
    for (const discarded of this.#assembler.expire(this.#options.clock.monotonicNow()))
      this.#giveUp(discarded, undefined);
    this.#arm();
  }
}
