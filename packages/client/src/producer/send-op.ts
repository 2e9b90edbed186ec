import type { Int64 } from "@pulsewire/protocol";

/** Settles the promise of one `send()`. Calling it again is harmless: the first call wins. */
export type SendResolve<Id> = (id: Id) => void;
/** See {@link SendResolve}. */
export type SendReject = (error: unknown) => void;

/**
 * One entry on its way: a message by itself or a batch, as the frame that is written again, byte for byte, after every
 * reconnect until its receipt comes. The frame belongs to the entry and is never changed.
 *
 * `Id` is the type of message ids; this file does not care what they are.
 */
export interface SendOp<Id> {
  readonly frame: Uint8Array;
  /** First, or only, sequence id: the one that the receipt names. */
  readonly sequenceId: Int64;
  /** Last sequence id of the batch. */
  readonly highestSequenceId: Int64;
  /** When the oldest message was handed over, in monotonic milliseconds: the send timeout counts from here. */
  readonly startedAtMs: number;
  /** What the messages took from the memory limit. */
  readonly memoryBytes: number;
  /** One per message, in the order of the batch. */
  readonly resolves: readonly SendResolve<Id>[];
  /** As `resolves`. */
  readonly rejects: readonly SendReject[];
  /** True when the entry is a batch, so that its messages have a batch index. */
  readonly isBatch: boolean;
  /**
   * Memory that only the frame uses, if it may serve others after the receipt: when the frame was written just once and
   * nothing of it waits for the socket.
   */
  readonly memory: Buffer | undefined;
  /** How often it was written. */
  writes: number;
  /** Bytes that the producer had written with this entry, when it was written last. */
  writtenUpTo: number;
  /** Place in the order of all entries of the producer; given by the pending queue. */
  serial: number;
}
