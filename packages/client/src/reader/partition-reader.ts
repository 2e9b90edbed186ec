import type { MessageId } from "@pulsewire/protocol";
import type { ReceiveOptions, SeekTarget } from "../consumer/consumer.ts";
import type { PartitionConsumer } from "../consumer/partition-consumer.ts";
import type { Message } from "../message.ts";
import type { Listener } from "../util/typed-emitter.ts";
import type { Reader, ReaderEvents, ReaderState } from "./reader.ts";

/**
 * A reader of one topic or partition: a consumer on a subscription of its own that ends with it, which acknowledges
 * cumulatively as it reads, so that the broker knows how far it is.
 */
export class PartitionReader<T> implements Reader<T> {
  readonly topic: string;
  readonly name: string;
  readonly #consumer: PartitionConsumer<T>;

  constructor(consumer: PartitionConsumer<T>) {
    this.#consumer = consumer;
    this.topic = consumer.topic;
    this.name = consumer.name;
  }

  get state(): ReaderState {
    return this.#consumer.state;
  }

  get hasReachedEndOfTopic(): boolean {
    return this.#consumer.hasReachedEndOfTopic;
  }

  readNext(options?: ReceiveOptions): Promise<Message<T>> {
    return this.#consumer.receive(options);
  }

  hasMessageAvailable(): Promise<boolean> {
    return this.#consumer.hasMessageAvailable();
  }

  messages(options: { readonly signal?: AbortSignal | undefined } = {}): AsyncIterableIterator<Message<T>> {
    return this.#consumer.messages(options);
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Message<T>> {
    return this.messages();
  }

  seek(target: SeekTarget): Promise<void> {
    return this.#consumer.seek(target);
  }

  getLastMessageId(): Promise<MessageId> {
    return this.#consumer.getLastMessageId();
  }

  close(): Promise<void> {
    return this.#consumer.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  on<K extends keyof ReaderEvents>(name: K, listener: Listener<ReaderEvents[K]>): () => void {
    return this.#consumer.on(name, listener);
  }
}
