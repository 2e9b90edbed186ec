import type { MessageId } from "@pulsewire/protocol";
import type { PulsarError } from "../errors.ts";
import type { SessionStateName } from "../session/session-types.ts";
import type { Listener } from "../util/typed-emitter.ts";
import type { ProducerMessage, SendOptions } from "./producer-message.ts";

/** Whether a producer is attached to a broker, on its way there, or done. */
export type ProducerState = SessionStateName;

/** A change of a producer's state. */
export interface ProducerStateChange {
  readonly state: ProducerState;
  /** Why, for `reconnecting` and `failed`. */
  readonly error?: PulsarError | undefined;
}

/** Events of a producer. */
export interface ProducerEvents {
  readonly stateChange: ProducerStateChange;
}

/** Counters of a producer since it was created. */
export interface ProducerStats {
  /** Messages whose receipt came. */
  readonly messagesSent: number;
  /** Bytes of their payloads, keys and properties before compression. */
  readonly bytesSent: number;
  /** Messages whose `send()` rejected after they were let in. */
  readonly messagesFailed: number;
  /** Entries written, each repetition after a reconnect counted again. */
  readonly entriesWritten: number;
  /** Messages let in that have no outcome yet. */
  readonly pendingMessages: number;
  /** What they count for in the client's memory limit. */
  readonly pendingBytes: number;
  /** `send()` calls that wait for room. */
  readonly waitingMessages: number;
}

/** How a producer is closed. */
export interface CloseProducerOptions {
  /**
   * Publishes what was sent before and waits for the receipts, no longer than each message's send timeout (or the
   * client's operation timeout where there is none). Default true. With false, everything without a receipt rejects
   * with AlreadyClosedError at once; some of it may have reached the topic.
   */
  readonly drain?: boolean | undefined;
  /** Ends the draining when aborted: the rest rejects, the producer closes, and this call rejects with the reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Publishes to one topic. It outlives its connection: messages without a receipt are sent again, in order and with the
 * same sequence ids, before new ones. Each `send()` settles exactly once.
 */
export interface Producer<T> extends AsyncDisposable {
  /** Full name of the topic. */
  readonly topic: string;
  /** The name given in the options or by the broker. */
  readonly name: string;
  readonly state: ProducerState;
  /** Highest sequence id that the broker has confirmed; -1 before the first. */
  readonly lastSequenceId: bigint;
  readonly stats: ProducerStats;

  /**
   * Publishes a message and resolves with its id once the broker has stored it. The message is copied: its buffers may
   * be reused as soon as this returns, unless the call has to wait for room. Calls from one place are published in
   * order.
   *
   * With deduplication a repeated message resolves with an id of ledger -1 and entry -1.
   *
   * Rejects with InvalidMessageError, SchemaSerializationError, MessageTooBigError, ProducerQueueIsFullError or
   * MemoryBufferIsFullError (without `blockIfQueueFull`), TimeoutError after `sendTimeoutMs`, AlreadyClosedError, the
   * error the producer failed with (TopicTerminatedError, ProducerFencedError, ...), or the reason of the signal.
   */
  send(message: ProducerMessage<T>, options?: SendOptions): Promise<MessageId>;

  /**
   * Publishes the open batch now and resolves when every `send()` before this call has settled, also those that wait
   * for room or for a connection. How they settled is theirs to tell: a failed one does not reject the flush.
   *
   * Rejects with AlreadyClosedError or the error the producer failed with, or with the signal's reason.
   */
  flush(options?: SendOptions): Promise<void>;

  /** Closes the producer; may be called again. See {@link CloseProducerOptions}. */
  close(options?: CloseProducerOptions): Promise<void>;

  /** Adds a listener; the returned function removes it. Listeners run after the change is complete. */
  on<K extends keyof ProducerEvents>(name: K, listener: Listener<ProducerEvents[K]>): () => void;
}
