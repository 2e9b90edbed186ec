import { type CommandProducerSuccess, type CompressionCodec, type MessageId, toBigInt } from "@pulsewire/protocol";
import type { ClientContext } from "../client-context.ts";
import type { Connection } from "../connection/connection.ts";
import { AlreadyClosedError, type PulsarError } from "../errors.ts";
import { Session } from "../session/session.ts";
import { Deferred } from "../util/deferred.ts";
import { type Listener, TypedEmitter } from "../util/typed-emitter.ts";
import { waitFor } from "../util/wait-for.ts";
import { createOutgoingMessage, type OutgoingMessage } from "./outgoing-message.ts";
import type { CloseProducerOptions, Producer, ProducerEvents, ProducerState, ProducerStats } from "./producer.ts";
import { ProducerAttachment } from "./producer-attachment.ts";
import type { ProducerMessage, SendOptions } from "./producer-message.ts";
import type { ResolvedProducerOptions } from "./producer-options.ts";
import { SendFrameEncoder } from "./send-frame.ts";
import type { SendReject, SendResolve } from "./send-op.ts";
import { SendPipeline, type SendVerdict } from "./send-pipeline.ts";

/** What a producer of one topic, or of one partition of it, needs from its maker. */
export interface PartitionProducerOptions<T> {
  readonly options: ResolvedProducerOptions<T>;
  readonly context: ClientContext;
  /** Of the topic, -1 for none. */
  readonly partitionIndex: number;
  /** Undefined for no compression. */
  readonly codec: CompressionCodec | undefined;
}

/** `open` covers all states in which the session decides. */
type Lifecycle =
  | { readonly kind: "open" }
  | { readonly kind: "closing"; readonly done: Promise<void> }
  | { readonly kind: "closed" }
  | { readonly kind: "failed"; readonly error: PulsarError };

/**
 * A producer of one topic or partition. It joins a {@link Session}, which keeps it attached, with a
 * {@link SendPipeline}, which has the messages, and owns the promise of `send()` and the order of closing.
 */
export class PartitionProducer<T> implements Producer<T> {
  readonly topic: string;
  readonly #options: ResolvedProducerOptions<T>;
  readonly #context: ClientContext;
  readonly #encoder: SendFrameEncoder;
  readonly #pipeline: SendPipeline;
  readonly #session: Session;
  readonly #emitter: TypedEmitter<ProducerEvents>;
  readonly #now: () => number;
  readonly #waitsForRoom: boolean;
  #lifecycle: Lifecycle = { kind: "open" };
  #isKnownToBroker = false;
  // One function for all promises instead of a closure for each: it runs inside the constructor of Promise.
  #resolve: SendResolve<MessageId> = () => {};
  #reject: SendReject = () => {};
  readonly #capture = (resolve: SendResolve<MessageId>, reject: SendReject): void => {
    this.#resolve = resolve;
    this.#reject = reject;
  };

  constructor({ options, context, partitionIndex, codec }: PartitionProducerOptions<T>) {
    const { topic, compressionLevel } = options;
    const { clock, logger, random, backoff, operationTimeoutMs, connector, memoryLimiter } = context;
    const producerId = context.nextProducerId();
    this.topic = topic;
    this.#options = options;
    this.#context = context;
    this.#waitsForRoom = options.blockIfQueueFull;
    this.#now = () => clock.now();
    this.#emitter = new TypedEmitter(logger);
    this.#encoder = new SendFrameEncoder({ topic, producerId, codec, compressionLevel });
    this.#pipeline = new SendPipeline({
      topic,
      partitionIndex,
      encoder: this.#encoder,
      clock,
      memory: memoryLimiter,
      maxPendingMessages: options.maxPendingMessages,
      sendTimeoutMs: options.sendTimeoutMs,
      batchingEnabled: options.batchingEnabled,
      batchingMaxMessages: options.batchingMaxMessages,
      batchingMaxBytes: options.batchingMaxBytes,
      batchingMaxPublishDelayMs: options.batchingMaxPublishDelayMs,
    });
    const attachment = new ProducerAttachment(options, producerId, {
      onAttached: (success) => this.#onAttached(success),
      onReady: (connection) => this.#onReady(connection),
      onDisconnected: (error) => this.#onDisconnected(error),
      onFailed: (error) => this.#onFailed(error),
      onSendReceipt: (connection, receipt) => {
        if (this.#session.connection !== connection) return;
        const verdict = this.#pipeline.onSendReceipt(receipt);
        if (verdict.kind === "goOn") this.#session.served();
        this.#obey(verdict);
      },
      onSendError: (connection, error) => {
        if (this.#session.connection === connection) this.#obey(this.#pipeline.onSendError(error));
      },
      onClosedByBroker: (connection, hint) => this.#session.closedByBroker(connection, hint),
      onConnectionClosed: (connection, error) => this.#session.connectionLost(connection, error),
    });
    this.#session = new Session({
      kind: "producer",
      topic,
      attachment,
      connector,
      clock,
      random,
      logger,
      backoff,
      operationTimeoutMs,
    });
  }

  /** Attaches for the first time; to be called once, before anything else. Rejects as Session.open does. */
  async open(signal?: AbortSignal): Promise<void> {
    try {
      await this.#session.open(signal);
    } catch (error) {
      this.#lifecycle = { kind: "closed" };
      this.#pipeline.stop(error);
      throw error;
    }
  }

  get name(): string {
    return this.#encoder.producerName;
  }

  get state(): ProducerState {
    return this.#lifecycle.kind === "open" ? this.#session.state : this.#lifecycle.kind;
  }

  get lastSequenceId(): bigint {
    return toBigInt(this.#pipeline.sequenceIds.lastConfirmed);
  }

  get stats(): ProducerStats {
    return this.#pipeline.stats;
  }

  send(message: ProducerMessage<T>, options?: SendOptions): Promise<MessageId> {
    const signal = options?.signal;
    if (this.#lifecycle.kind !== "open") return Promise.reject(this.#endError());
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    let outgoing: OutgoingMessage;
    try {
      outgoing = createOutgoingMessage(message, this.#options.schema, this.#now);
    } catch (error) {
      return Promise.reject(error as PulsarError);
    }
    const promise = new Promise<MessageId>(this.#capture);
    outgoing.resolve = this.#resolve;
    outgoing.reject = this.#reject;
    if (signal !== undefined) this.#rejectOnAbort(promise, outgoing, signal);
    this.#pipeline.submit(outgoing, this.#waitsForRoom);
    return promise;
  }

  flush(options?: SendOptions): Promise<void> {
    if (this.#lifecycle.kind !== "open") return Promise.reject(this.#endError());
    return this.#waitFor(new Promise((resolve) => this.#pipeline.flush(resolve)), options?.signal);
  }

  close(options: CloseProducerOptions = {}): Promise<void> {
    const { drain = true, signal } = options;
    const lifecycle = this.#lifecycle;
    switch (lifecycle.kind) {
      case "closed":
      case "failed":
        return this.#waitFor(this.#session.close(), signal);
      case "closing":
        if (!drain) this.#pipeline.stop(this.#endError());
        return this.#waitForClose(lifecycle.done, signal);
      case "open": {
        const done = new Deferred<void>();
        this.#lifecycle = { kind: "closing", done: done.promise };
        this.#emitter.emit("stateChange", { state: "closing" });
        const closing = this.#waitForClose(done.promise, signal);
        void this.#close(drain).then(() => done.resolve());
        return closing;
      }
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  on<K extends keyof ProducerEvents>(name: K, listener: Listener<ProducerEvents[K]>): () => void {
    return this.#emitter.on(name, listener);
  }

  /** Never rejects: neither does the session's close. */
  async #close(drain: boolean): Promise<void> {
    if (drain) await this.#drain();
    this.#pipeline.stop(this.#endError());
    await this.#session.close();
    this.#lifecycle = { kind: "closed" };
    this.#emitter.emit("stateChange", { state: "closed" });
    this.#context.onClosed(this);
  }

  /** Every message has its send timeout, so this ends; where there is none, the operation timeout bounds it instead. */
  async #drain(): Promise<void> {
    const { clock, operationTimeoutMs } = this.#context;
    const timer =
      this.#options.sendTimeoutMs === 0
        ? clock.setTimeout(() => this.#pipeline.stop(this.#endError()), operationTimeoutMs)
        : undefined;
    await new Promise<void>((resolve) => this.#pipeline.flush(resolve));
    clock.clearTimeout(timer);
  }

  #onAttached(success: CommandProducerSuccess): void {
    this.#encoder.producerName = success.producerName;
    const { schemaVersion } = success;
    this.#encoder.schemaVersion = schemaVersion === undefined || schemaVersion.length === 0 ? undefined : schemaVersion;
    if (this.#isKnownToBroker) return;
    this.#isKnownToBroker = true;
    this.#pipeline.sequenceIds.startAfter(this.#options.initialSequenceId ?? success.lastSequenceId ?? -1);
  }

  #onReady(connection: Connection): void {
    this.#pipeline.onConnected(connection);
    if (this.#lifecycle.kind === "open") this.#emitter.emit("stateChange", { state: "ready" });
  }

  #onDisconnected(error: PulsarError): void {
    this.#pipeline.onDisconnected();
    if (this.#lifecycle.kind === "open") this.#emitter.emit("stateChange", { state: "reconnecting", error });
  }

  #onFailed(error: PulsarError): void {
    const wasOpen = this.#lifecycle.kind === "open";
    if (wasOpen) this.#lifecycle = { kind: "failed", error };
    this.#pipeline.stop(error);
    if (!wasOpen) return;
    this.#emitter.emit("stateChange", { state: "failed", error });
    this.#context.onClosed(this);
  }

  #obey(verdict: SendVerdict): void {
    switch (verdict.kind) {
      case "goOn":
        return;
      case "reconnect":
        this.#session.reconnect(verdict.error);
        return;
      case "fail":
        this.#session.fail(verdict.error);
        return;
    }
  }

  /** After its abort the promise is rejected, whatever still happens to the message. */
  #rejectOnAbort(promise: Promise<MessageId>, message: OutgoingMessage, signal: AbortSignal): void {
    const onAbort = (): void => {
      this.#pipeline.withdraw(message);
      message.reject(signal.reason);
    };
    const forget = (): void => signal.removeEventListener("abort", onAbort);
    signal.addEventListener("abort", onAbort);
    promise.then(forget, forget);
  }

  /** Waits for the close; an abort ends the draining, but not the close. */
  #waitForClose(done: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    if (signal === undefined) return done;
    const onAbort = (): void => this.#pipeline.stop(this.#endError());
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort);
    void done.then(() => signal.removeEventListener("abort", onAbort));
    return this.#waitFor(done, signal);
  }

  #waitFor(promise: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
    return waitFor(promise, { signal, clock: this.#context.clock, onTimeout: () => this.#endError() });
  }

  #endError(): PulsarError {
    const lifecycle = this.#lifecycle;
    if (lifecycle.kind === "failed") return lifecycle.error;
    const context = { topic: this.topic, producerName: this.name };
    return new AlreadyClosedError("the producer is closed", context);
  }
}
