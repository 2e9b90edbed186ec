import type { MessageId } from "@pulsewire/protocol";
import type { ConsumerEvents, ConsumerState, ReceiveOptions, SeekTarget } from "../consumer/consumer.ts";
import type { Message } from "../message.ts";
import type { Listener } from "../util/typed-emitter.ts";

/** Whether a reader is attached to a broker, on its way there, or done. */
export type ReaderState = ConsumerState;

/** Events of a reader. */
export type ReaderEvents = Omit<ConsumerEvents, "activeConsumerChange">;

/**
 * Reads a topic from a place of its own choice, without a subscription that outlives it. After the loss of its connection
 * it goes on behind the last message it handed out.
 *
 * An async iterable: `for await (const message of reader)` reads on and waits at the end of the topic until the reader is
 * closed; leaving the loop does not close it.
 */
export interface Reader<T> extends AsyncIterable<Message<T>>, AsyncDisposable {
  /** Full name of the topic. */
  readonly topic: string;
  readonly name: string;
  readonly state: ReaderState;
  /** Whether the topic is terminated and everything in it was read. */
  readonly hasReachedEndOfTopic: boolean;

  /**
   * The next message. Rejects with TimeoutError, the reason of the signal, AlreadyClosedError, or the error the reader
   * failed with.
   */
  readNext(options?: ReceiveOptions): Promise<Message<T>>;

  /**
   * Whether there is a message after the last one read: then `readNext` gives one without waiting for somebody to publish
   * it. Asks the broker if need be. Rejects with TimeoutError, NotConnectedError, or the broker's error.
   */
  hasMessageAvailable(): Promise<boolean>;

  /** Messages until the reader is closed, or the signal is aborted; then the loop ends, without an error. */
  messages(options?: { readonly signal?: AbortSignal | undefined }): AsyncIterableIterator<Message<T>>;

  /** Goes to another place; the next message is the one asked for. Rejects like {@link hasMessageAvailable}. */
  seek(target: SeekTarget): Promise<void>;

  /** Id of the last message in the topic; its entry id is -1 when there is none. */
  getLastMessageId(): Promise<MessageId>;

  /** Closes the reader. Reads that wait reject with AlreadyClosedError. May be called again. */
  close(): Promise<void>;

  /** Adds a listener; the returned function removes it. Listeners run after the change is complete. */
  on<K extends keyof ReaderEvents>(name: K, listener: Listener<ReaderEvents[K]>): () => void;
}
