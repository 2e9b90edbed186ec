import { setMaxListeners } from "node:events";
import { TopicName } from "@pulsewire/protocol";
import type { ClientContext, Closable } from "./client-context.ts";
import { type ClientEnvironment, type ClientRuntime, createClientRuntime } from "./client-runtime.ts";
import type { Consumer } from "./consumer/consumer.ts";
import type { ConsumerOptions } from "./consumer/consumer-options.ts";
import { createPartitionConsumer } from "./consumer/create-consumer.ts";
import { resolveConsumerOptions } from "./consumer/resolve-consumer-options.ts";
import { AlreadyClosedError, InvalidTopicNameError, NotSupportedError } from "./errors.ts";
import { type ClientOptions, type ResolvedClientOptions, resolveClientOptions } from "./options/client-options.ts";
import { createPartitionProducer } from "./producer/create-producer.ts";
import type { Producer } from "./producer/producer.ts";
import { type ProducerOptions, resolveProducerOptions } from "./producer/producer-options.ts";
import { createPartitionReader } from "./reader/create-reader.ts";
import type { Reader } from "./reader/reader.ts";
import { type ReaderOptions, resolveReaderOptions } from "./reader/reader-options.ts";
import { retry } from "./session/retry.ts";
import { type Listener, TypedEmitter } from "./util/typed-emitter.ts";

/** Something that may be given up. */
export interface CallOptions {
  /** Gives up when aborted: the call rejects with the signal's reason and leaves nothing behind. */
  readonly signal?: AbortSignal | undefined;
}

/** A connection, as events tell of it. */
export interface ConnectionEvent {
  /** Number of the connection, unique within the client. */
  readonly connectionId: number;
  /** `host:port` of the broker. */
  readonly remote: string;
}

/** What a client tells of. */
export interface ClientEvents {
  /** A connection has passed its handshake. */
  readonly connected: ConnectionEvent;
  /** A connection that was open has ended. */
  readonly disconnected: ConnectionEvent & { readonly error: Error };
}

type State = { readonly kind: "open" } | { readonly kind: "closing" | "closed"; readonly done: Promise<void> };

/**
 * A client of one Pulsar cluster: makes producers, consumers and readers, which share its connections.
 *
 * Nothing is connected before the first of them is made, and none of them fails because a connection is lost: they
 * reconnect by themselves. Close the client at the end; it closes all that it made.
 */
export class PulsarClient {
  readonly #options: ResolvedClientOptions;
  readonly #runtime: ClientRuntime;
  readonly #emitter: TypedEmitter<ClientEvents>;
  readonly #closables: Set<Closable> = new Set();
  readonly #making: Set<Promise<Closable>> = new Set();
  /** Aborted when the client is closed: whatever is being made then is given up. */
  readonly #closing: AbortController = new AbortController();
  #state: State = { kind: "open" };

  /**
   * @param options at least the service URL
   * @param environment clock, randomness and sockets of another kind, for tests
   * @throws InvalidConfigurationError that lists every option that cannot be used
   */
  constructor(options: ClientOptions, environment: Partial<ClientEnvironment> = {}) {
    this.#options = resolveClientOptions(options);
    // As many listeners as there are calls under way: no sign of a leak.
    setMaxListeners(0, this.#closing.signal);
    this.#emitter = new TypedEmitter(this.#options.logger);
    this.#runtime = createClientRuntime(this.#options, environment, {
      onOpened: ({ id: connectionId, remote }) => this.#emitter.emit("connected", { connectionId, remote }),
      onClosed: ({ id: connectionId, remote }, error) =>
        this.#emitter.emit("disconnected", { connectionId, remote, error }),
      onForgotten: (closable) => this.#closables.delete(closable),
    });
  }

  /** `open` until {@link PulsarClient.close} is called. */
  get state(): "open" | "closing" | "closed" {
    return this.#state.kind;
  }

  /**
   * Makes a producer; resolves when a broker has taken it in. Errors that may pass are retried until the operation
   * timeout. Rejects with a typed error, InvalidConfigurationError among them.
   */
  createProducer<T = Uint8Array>(options: ProducerOptions<T>, call: CallOptions = {}): Promise<Producer<T>> {
    return this.#make(call, async (context, signal) => {
      const resolved = resolveProducerOptions(options);
      const { topic, partitionIndex } = await this.#resolveTopic(resolved.topic, signal);
      return createPartitionProducer({ ...resolved, topic }, context, partitionIndex, signal);
    });
  }

  /** Makes a consumer and its subscription; resolves when the broker has taken it in. Otherwise like createProducer. */
  subscribe<T = Uint8Array>(options: ConsumerOptions<T>, call: CallOptions = {}): Promise<Consumer<T>> {
    return this.#make(call, async (context, signal) => {
      const resolved = resolveConsumerOptions(options, context.random);
      const { topic, partitionIndex } = await this.#resolveTopic(resolved.topic, signal);
      return createPartitionConsumer({ ...resolved, topic }, context, partitionIndex, signal);
    });
  }

  /** Makes a reader; resolves when the broker has taken it in. Otherwise like createProducer. */
  createReader<T = Uint8Array>(options: ReaderOptions<T>, call: CallOptions = {}): Promise<Reader<T>> {
    return this.#make(call, async (context, signal) => {
      const resolved = resolveReaderOptions(options, context.random);
      const { topic, partitionIndex } = await this.#resolveTopic(resolved.topic, signal);
      return createPartitionReader({ ...resolved, topic }, context, partitionIndex, signal);
    });
  }

  /**
   * Full names of the topics that hold a topic's messages: its partitions, or the topic itself when it has none. The
   * topic is created if it does not exist and the broker allows that.
   */
  async getPartitionsForTopic(topic: string, call: CallOptions = {}): Promise<string[]> {
    this.#requireOpen();
    const signal = this.#signal(call);
    const name = parseTopic(topic);
    const count = await this.#partitions(name.toString(), signal);
    if (count === 0) return [name.toString()];
    return Array.from({ length: count }, (_, index) => name.partition(index).toString());
  }

  /** Adds a listener of {@link ClientEvents}; the returned function removes it. */
  on<K extends keyof ClientEvents>(event: K, listener: Listener<ClientEvents[K]>): () => void {
    return this.#emitter.on(event, listener);
  }

  /**
   * Closes all readers, consumers and producers, which send what they still hold, then all connections. Whatever is
   * being made meanwhile rejects with AlreadyClosedError. Idempotent: a second call resolves together with the first.
   */
  close(): Promise<void> {
    if (this.#state.kind === "open") this.#state = { kind: "closing", done: this.#close() };
    return this.#state.done;
  }

  /** Closes the client: for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** Makes something that the client is to close, and gives it up when the client is closed first. */
  async #make<C extends Closable>(
    call: CallOptions,
    make: (context: ClientContext, signal: AbortSignal) => Promise<C>,
  ): Promise<C> {
    this.#requireOpen();
    const making = make(this.#runtime.context, this.#signal(call));
    this.#making.add(making);
    try {
      const closable = await making;
      this.#closables.add(closable);
      // Closed in the moment between: close() waits for what is being made and takes it along.
      this.#requireOpen();
      return closable;
    } finally {
      this.#making.delete(making);
    }
  }

  async #close(): Promise<void> {
    this.#closing.abort(closedError());
    await Promise.allSettled(this.#making);
    // Whoever was waiting for these has added them to the closables by now: its reaction came first.
    await Promise.allSettled([...this.#closables].map((closable) => closable.close()));
    this.#closables.clear();
    this.#runtime.pool.close();
    if (this.#state.kind === "closing") this.#state = { kind: "closed", done: this.#state.done };
  }

  #requireOpen(): void {
    if (this.#state.kind !== "open") throw closedError();
  }

  #signal({ signal }: CallOptions): AbortSignal {
    return signal === undefined ? this.#closing.signal : AbortSignal.any([this.#closing.signal, signal]);
  }

  /** The full name of a topic without partitions, or of one partition. */
  async #resolveTopic(
    topic: string,
    signal: AbortSignal,
  ): Promise<{ readonly topic: string; readonly partitionIndex: number }> {
    const name = parseTopic(topic);
    const count = await this.#partitions(name.toString(), signal);
    if (count > 0) {
      const message = `the topic has ${count} partitions; this release works on each by its own name: ${name.partition(0).toString()}`;
      throw new NotSupportedError(message, { topic: name.toString() });
    }
    return { topic: name.toString(), partitionIndex: name.partitionIndex };
  }

  #partitions(topic: string, signal: AbortSignal): Promise<number> {
    const { lookup, backoff, clock, random, operationTimeoutMs: timeoutMs } = this.#runtime.context;
    return retry(() => lookup.partitions(topic, { signal }), { timeoutMs, backoff, clock, random, signal });
  }
}

function closedError(): AlreadyClosedError {
  return new AlreadyClosedError("the client is closed");
}

function parseTopic(topic: string): TopicName {
  try {
    return TopicName.parse(topic);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new InvalidTopicNameError(`${JSON.stringify(topic)} is no topic name: ${reason}`, { topic, cause });
  }
}
