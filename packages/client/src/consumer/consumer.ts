import type { MessageId } from "@pulsewire/protocol";
import type { PulsarError } from "../errors.ts";
import type { Message } from "../message.ts";
import type { SessionStateName } from "../session/session-types.ts";
import type { Listener } from "../util/typed-emitter.ts";

/** Whether a consumer is attached to a broker, on its way there, or done. */
export type ConsumerState = SessionStateName;

/** A change of a consumer's state. */
export interface ConsumerStateChange {
  readonly state: ConsumerState;
  /** Why, for `reconnecting` and `failed`. */
  readonly error?: PulsarError | undefined;
}

/** A message, a batch or a chunk that could not be read, and is not handed out. */
export interface UnreadableMessage {
  readonly messageId: MessageId;
  /** ChecksumError, CryptoError or InvalidMessageError. */
  readonly error: PulsarError;
  /** True when it has been acknowledged as damaged; false when it stays on the subscription. */
  readonly isAcknowledged: boolean;
}

/** Chunks of a message that will not be completed. */
export interface ChunksDiscarded {
  readonly messageIds: readonly MessageId[];
  readonly reason: string;
  /** True when they have been acknowledged, so that the message is lost; false when they will come again. */
  readonly isAcknowledged: boolean;
}

/** Events of a consumer. */
export interface ConsumerEvents {
  readonly stateChange: ConsumerStateChange;
  /** Failover: whether this consumer is the one that gets the messages. */
  readonly activeConsumerChange: { readonly isActive: boolean };
  /** The topic is terminated and everything in it was delivered and acknowledged. */
  readonly endOfTopic: { readonly topic: string };
  readonly unreadableMessage: UnreadableMessage;
  readonly chunksDiscarded: ChunksDiscarded;
}

/** How one receive waits. */
export interface ReceiveOptions {
  /** Milliseconds; then TimeoutError. 0 takes what is there already. For ever without it. */
  readonly timeoutMs?: number | undefined;
  /** Gives up when aborted, with the signal's reason. No message is lost by that. */
  readonly signal?: AbortSignal | undefined;
}

/** Where a seek goes: a message, `MessageId.earliest`, `MessageId.latest`, or a publish time. */
export type SeekTarget =
  | MessageId
  | {
      /** Milliseconds since 1970: the first message published at or after that time comes next. */
      readonly timestamp: number;
    };

/** What can be acknowledged: a message, its id (also one stored earlier), or a list of either. */
export type Acknowledgeable<T> = Message<T> | MessageId | readonly (Message<T> | MessageId)[];

/**
 * Receives the messages of one subscription. It outlives its connection: after a loss it subscribes again, and everything
 * that was not acknowledged comes again.
 *
 * An async iterable: `for await (const message of consumer)` runs until the consumer is closed; leaving the loop does not
 * close it.
 */
export interface Consumer<T> extends AsyncIterable<Message<T>>, AsyncDisposable {
  /** Full name of the topic. */
  readonly topic: string;
  readonly subscription: string;
  readonly name: string;
  readonly state: ConsumerState;
  /** False once this consumer heard that another one of its Failover subscription gets the messages. */
  readonly isActive: boolean;
  /** Whether the topic is terminated and everything in it was delivered and acknowledged. */
  readonly hasReachedEndOfTopic: boolean;
  /** Messages that have arrived and wait to be received. */
  readonly queuedMessages: number;

  /**
   * The next message. Several calls at a time are served in their order. Rejects with TimeoutError, the reason of the
   * signal, AlreadyClosedError, or the error the consumer failed with.
   */
  receive(options?: ReceiveOptions): Promise<Message<T>>;

  /**
   * Messages until the consumer is closed, or the signal is aborted; then the loop ends, without an error. An error that
   * the consumer failed with is thrown.
   */
  messages(options?: { readonly signal?: AbortSignal | undefined }): AsyncIterableIterator<Message<T>>;

  /**
   * Acknowledges messages one by one. Resolves at once, since acknowledgements are grouped and sent a little later; with
   * `ackReceiptEnabled` when the broker has answered. Rejects with AlreadyClosedError, InvalidMessageError for an id that
   * does not say how large its batch is, or with the broker's error.
   */
  acknowledge(messages: Acknowledgeable<T>): Promise<void>;

  /**
   * Acknowledges a message and everything before it in the topic. Rejects like {@link acknowledge}, and with
   * NotAllowedError for Shared and Key_Shared.
   */
  acknowledgeCumulative(message: Message<T> | MessageId): Promise<void>;

  /**
   * Asks for messages to be delivered again after `negativeAckRedeliveryDelayMs`. On Exclusive and Failover everything
   * unacknowledged then comes again, since the order must hold; on the others the named messages, with what is
   * unacknowledged of their batches. A lost connection forgets the request: then everything comes again anyway.
   */
  negativeAcknowledge(messages: Acknowledgeable<T>): void;

  /** Has everything that this consumer received and did not acknowledge delivered again, now. */
  redeliverUnacknowledgedMessages(): void;

  /**
   * Moves the subscription, for all its consumers. What was received before and not acknowledged is forgotten; the next
   * message is the one asked for. Rejects with TimeoutError, NotConnectedError, AlreadyClosedError, or the broker's
   * error.
   */
  seek(target: SeekTarget): Promise<void>;

  /** Id of the last message in the topic; its entry id is -1 when there is none. */
  getLastMessageId(): Promise<MessageId>;

  /** The last message id of each partition; of a topic without partitions the one. */
  getLastMessageIds(): Promise<readonly MessageId[]>;

  /**
   * Deletes the subscription with its backlog and closes the consumer. Rejects with the broker's error, e.g. when other
   * consumers are attached; then nothing has changed.
   */
  unsubscribe(options?: {
    /** Default false. Cuts the other consumers off. */
    readonly force?: boolean | undefined;
  }): Promise<void>;

  /**
   * Sends the acknowledgements that are still collected and closes. Receives that wait reject with AlreadyClosedError.
   * What was not acknowledged stays on the subscription. May be called again.
   */
  close(): Promise<void>;

  /** Adds a listener; the returned function removes it. Listeners run after the change is complete. */
  on<K extends keyof ConsumerEvents>(name: K, listener: Listener<ConsumerEvents[K]>): () => void;
}
