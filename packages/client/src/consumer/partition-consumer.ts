import { setMaxListeners } from "node:events";
import { compressionRegistry, encodeCommand, MessageId } from "@pulsewire/protocol";
import type { ClientContext } from "../client-context.ts";
import type { BrokerUrls, Connection } from "../connection/connection.ts";
import { AlreadyClosedError, NotConnectedError, type PulsarError, TimeoutError } from "../errors.ts";
import type { Message } from "../message.ts";
import { Session } from "../session/session.ts";
import { type Listener, TypedEmitter } from "../util/typed-emitter.ts";
import { type AckSender, AckTracker } from "./ack-tracker.ts";
import { Acknowledger } from "./acknowledger.ts";
import { ChunkCollector } from "./chunk-collector.ts";
import type {
  Acknowledgeable,
  Consumer,
  ConsumerEvents,
  ConsumerState,
  ReceiveOptions,
  SeekTarget,
} from "./consumer.ts";
import { ConsumerAttachment } from "./consumer-attachment.ts";
import { EntryMap } from "./entry-map.ts";
import { Inbox } from "./inbox.ts";
import { LastMessage } from "./last-message.ts";
import { MessageIterator } from "./message-iterator.ts";
import { type EntryPosition, NegativeAcks } from "./negative-acks.ts";
import type { EntrySource } from "./received-entry.ts";
import type { ReceivedMessage } from "./received-message.ts";
import { encodeRedeliver, encodeRedeliverAll } from "./redelivery.ts";
import { rejected, unobserved } from "./rejected.ts";
import type { ResolvedConsumerOptions } from "./resolve-consumer-options.ts";
import { ResumePoint } from "./resume-point.ts";
import { Seeker } from "./seek.ts";
import type { StartPosition } from "./start-position.ts";
import { isOrdered, type SubscribeState } from "./subscribe-command.ts";
import type { UnreadableEntry } from "./unreadable-entry.ts";

/** What a consumer of one topic, or of one partition of it, needs from its maker. */
export interface PartitionConsumerOptions<T> {
  readonly options: ResolvedConsumerOptions<T>;
  readonly context: ClientContext;
  /** Of the topic, -1 for none. */
  readonly partitionIndex: number;
  /** Where a non-durable subscription begins; undefined leaves it to its initial position. */
  readonly start?: StartPosition | undefined;
  /** Seconds before now at which a non-durable subscription begins, instead of `start`. */
  readonly startMessageRollbackDurationSec?: number | undefined;
  /** Default false. Acknowledges each message, with those before it, at the moment it is handed out. */
  readonly acknowledgesTaken?: boolean | undefined;
}

/** An UNSUBSCRIBE under way. */
interface Unsubscribing {
  /** The broker closed the consumer meanwhile; what that means shows when the answer comes. */
  closedWith: { readonly hint: BrokerUrls | undefined } | undefined;
}

const EARLIEST: StartPosition = { kind: "earliest" };

/**
 * A consumer of one topic or partition. It joins a {@link Session}, which keeps it attached, with an {@link Inbox}, which
 * has the messages, and an {@link AckTracker}, which has the acknowledgements, and owns the order in which they are told
 * of a loss, a seek and the close.
 */
export class PartitionConsumer<T> implements Consumer<T> {
  readonly topic: string;
  readonly subscription: string;
  readonly name: string;
  readonly #options: ResolvedConsumerOptions<T>;
  readonly #context: ClientContext;
  readonly #consumerId: number;
  readonly #source: EntrySource<T>;
  readonly #emitter: TypedEmitter<ConsumerEvents>;
  readonly #session: Session;
  readonly #attachment: ConsumerAttachment<T>;
  readonly #acks: AckTracker;
  readonly #negativeAcks: NegativeAcks;
  readonly #chunks: ChunkCollector;
  readonly #inbox: Inbox<T>;
  readonly #acknowledger: Acknowledger<T>;
  readonly #seeker: Seeker;
  readonly #lastMessage: LastMessage;
  readonly #notReceived = (): PulsarError => new TimeoutError("no message within the time allowed", this.#errorContext);
  /** The connection it is attached to, also while it closes. */
  #connection: Connection | undefined;
  readonly #resumePoint: ResumePoint;
  /** Aborted when the consumer ends: what it has asked the broker is given up. */
  readonly #ended: AbortController = new AbortController();
  #isActive = true;
  #hasReachedEndOfTopic = false;
  #closing: Promise<void> | undefined;
  #unsubscribing: Unsubscribing | undefined;

  constructor(maker: PartitionConsumerOptions<T>) {
    const { options, context, partitionIndex } = maker;
    const { clock, logger } = context;
    const { topic, consumerName } = options;
    this.topic = topic;
    this.subscription = options.subscription;
    this.name = consumerName;
    this.#options = options;
    this.#context = context;
    this.#consumerId = context.nextConsumerId();
    this.#resumePoint = new ResumePoint(maker.start, maker.startMessageRollbackDurationSec);
    this.#source = { topic, partitionIndex, schema: options.schema };
    this.#emitter = new TypedEmitter(logger);
    this.#acks = new AckTracker({ ...options, clock, sender: this.#createAckSender() });
    this.#negativeAcks = new NegativeAcks(clock, options.negativeAckRedeliveryDelayMs, (entries) =>
      this.#redeliver(entries),
    );
    this.#chunks = new ChunkCollector({
      ...options,
      source: this.#source,
      clock,
      acknowledge: (ledger, entry) => void this.#acks.acknowledgeEntry(ledger, entry),
      onDiscarded: ({ messageIds, reason }, isAcknowledged) =>
        this.#emitter.emit("chunksDiscarded", { messageIds, reason, isAcknowledged }),
    });
    this.#inbox = new Inbox(
      {
        source: this.#source,
        acks: this.#acks,
        chunks: this.#chunks,
        compression: compressionRegistry,
        acknowledgesSkipped: this.#isDurable,
        acknowledgesTaken: maker.acknowledgesTaken === true,
        clock,
        receiverQueueSize: options.receiverQueueSize,
        flow: (permits) => this.#flow(permits),
        onUnreadable: (entry) => this.#onUnreadable(entry),
      },
      this.#resumePoint.start,
    );
    this.#acknowledger = new Acknowledger({
      source: this.#source,
      consumerName,
      subscriptionType: options.subscriptionType,
      acks: this.#acks,
      chunks: this.#chunks,
      negativeAcks: this.#negativeAcks,
    });
    this.#attachment = this.#createAttachment();
    this.#session = new Session({ ...context, kind: "consumer", topic, attachment: this.#attachment });
    // As many listeners as there are questions under way: no sign of a leak.
    setMaxListeners(0, this.#ended.signal);
    const target = {
      ...context,
      session: this.#session,
      consumerId: this.#consumerId,
      topic,
      consumerName,
      signal: this.#ended.signal,
    };
    this.#lastMessage = new LastMessage({ ...target, partitionIndex });
    this.#seeker = new Seeker({
      ...target,
      startMessageIdInclusive: options.startMessageIdInclusive,
      prepare: () => this.#acks.flush(),
      moveTo: (position) => this.#moveTo(position),
      // Where the subscription stands now is the broker's to say.
      onRefused: () => this.#inbox.filterFrom(EARLIEST),
    });
  }

  /** Attaches for the first time; to be called once, before anything else. Rejects as Session.open does. */
  async open(signal?: AbortSignal): Promise<void> {
    try {
      await this.#session.open(signal);
    } catch (error) {
      this.#inbox.queue.close(new AlreadyClosedError("the consumer was never attached", this.#errorContext));
      this.#release();
      throw error;
    }
  }

  get state(): ConsumerState {
    return this.#session.state;
  }

  get isActive(): boolean {
    return this.#isActive;
  }

  get hasReachedEndOfTopic(): boolean {
    return this.#hasReachedEndOfTopic;
  }

  get queuedMessages(): number {
    return this.#inbox.queue.length;
  }

  receive(options: ReceiveOptions = {}): Promise<Message<T>> {
    const { timeoutMs, signal } = options;
    return this.#inbox.queue.take({ timeoutMs, signal, onTimeout: this.#notReceived });
  }

  messages(options: { readonly signal?: AbortSignal | undefined } = {}): AsyncIterableIterator<Message<T>> {
    return new MessageIterator<T, ReceivedMessage<T>>({ queue: this.#inbox.queue, signal: options.signal });
  }

  [Symbol.asyncIterator](): AsyncIterableIterator<Message<T>> {
    return this.messages();
  }

  acknowledge(messages: Acknowledgeable<T>): Promise<void> {
    const closedWith = this.#inbox.queue.closedWith;
    if (closedWith !== undefined) return rejected(closedWith);
    try {
      return this.#acknowledger.acknowledge(messages);
    } catch (error) {
      return rejected(error);
    }
  }

  acknowledgeCumulative(message: Message<T> | MessageId): Promise<void> {
    const closedWith = this.#inbox.queue.closedWith;
    if (closedWith !== undefined) return rejected(closedWith);
    try {
      return this.#acknowledger.acknowledgeCumulative(message);
    } catch (error) {
      return rejected(error);
    }
  }

  negativeAcknowledge(messages: Acknowledgeable<T>): void {
    // Without attachment everything comes again in any case.
    if (this.#connection !== undefined) this.#acknowledger.negativeAcknowledge(messages);
  }

  redeliverUnacknowledgedMessages(): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    // What is acknowledged must not come again.
    this.#acks.flush();
    this.#negativeAcks.clear();
    this.#chunks.clear();
    const isCounted = isOrdered(this.#options.subscriptionType);
    const epoch = isCounted ? this.#inbox.epoch + 1 : this.#inbox.epoch;
    connection.write(encodeRedeliverAll(this.#consumerId, isCounted ? epoch : undefined));
    this.#inbox.startEpoch(epoch);
  }

  seek(target: SeekTarget): Promise<void> {
    return unobserved(this.#seeker.seek(target));
  }

  getLastMessageId(): Promise<MessageId> {
    return unobserved(this.#lastMessage.getId());
  }

  getLastMessageIds(): Promise<readonly MessageId[]> {
    return unobserved(this.getLastMessageId().then((id) => [id]));
  }

  /** Whether a message comes after what was received: asks the broker unless the answer is known. */
  hasMessageAvailable(): Promise<boolean> {
    return unobserved(this.#hasMessageAvailable());
  }

  async #hasMessageAvailable(): Promise<boolean> {
    const { queue } = this.#inbox;
    if (queue.closedWith !== undefined) throw queue.closedWith;
    if (queue.length > 0 || this.#lastMessage.isKnownAfter(this.#inbox.passed, this.#resumePoint.start)) return true;
    await this.#lastMessage.refresh();
    return queue.length > 0 || this.#lastMessage.isAfter(this.#inbox.passed, this.#resumePoint.start);
  }

  async unsubscribe(options: { readonly force?: boolean | undefined } = {}): Promise<void> {
    const { operationTimeoutMs } = this.#context;
    const connection = await this.#session.whenReady({ timeoutMs: operationTimeoutMs });
    const unsubscribing: Unsubscribing = { closedWith: undefined };
    this.#unsubscribing = unsubscribing;
    try {
      const body = { consumerId: this.#consumerId, force: options.force };
      await connection.request("UNSUBSCRIBE", body, this.#errorContext);
    } catch (error) {
      this.#unsubscribing = undefined;
      const { closedWith } = unsubscribing;
      if (closedWith !== undefined) this.#session.closedByBroker(connection, closedWith.hint);
      throw error;
    }
    // The broker has removed the consumer with its subscription: there is nothing to tell it.
    await this.#close(async (attachedTo) => this.#attachment.unlink(attachedTo));
  }

  close(): Promise<void> {
    return this.#close(async (connection) => {
      await this.#acks.close();
      await this.#attachment.detach(connection);
    });
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  on<K extends keyof ConsumerEvents>(name: K, listener: Listener<ConsumerEvents[K]>): () => void {
    return this.#emitter.on(name, listener);
  }

  get #isDurable(): boolean {
    return this.#options.subscriptionMode === "Durable";
  }

  get #errorContext(): { readonly topic: string; readonly consumerName: string } {
    return { topic: this.topic, consumerName: this.name };
  }

  #close(detach: (connection: Connection) => Promise<void>): Promise<void> {
    if (this.#session.state === "failed") return this.#session.close();
    this.#closing ??= this.#end(detach);
    return this.#closing;
  }

  /** Never rejects: neither does the session's close. */
  async #end(detach: (connection: Connection) => Promise<void>): Promise<void> {
    const error = new AlreadyClosedError("the consumer is closed", this.#errorContext);
    this.#inbox.queue.close(error);
    this.#ended.abort(error);
    this.#emitter.emit("stateChange", { state: "closing" });
    await this.#session.close(detach);
    this.#release();
    this.#emitter.emit("stateChange", { state: "closed" });
    this.#context.onClosed(this);
  }

  /** Lets go of everything that could still fire. */
  #release(): void {
    this.#connection = undefined;
    this.#inbox.detach();
    this.#negativeAcks.clear();
    this.#chunks.clear();
    void this.#acks.close();
  }

  #createAckSender(): AckSender {
    return {
      isReady: () => this.#connection?.isOpen === true,
      write: (ack) => this.#connection?.write(encodeCommand("ACK", { ...ack, consumerId: this.#consumerId })),
      request: async (ack) => {
        const connection = this.#connection;
        if (connection === undefined) throw new NotConnectedError("not attached", this.#errorContext);
        await connection.request("ACK", { ...ack, consumerId: this.#consumerId }, this.#errorContext);
      },
    };
  }

  #createAttachment(): ConsumerAttachment<T> {
    return new ConsumerAttachment(this.#options, this.#consumerId, {
      subscribeState: () => this.#subscribeState(),
      onReady: (connection) => this.#onReady(connection),
      onDisconnected: (error) => this.#onDisconnected(error),
      onFailed: (error) => this.#onFailed(error),
      onMessage: (connection, message, buffer, start, end) => {
        if (this.#connection !== connection) return;
        this.#session.served();
        this.#inbox.onMessage(message, buffer, start, end);
      },
      onActiveConsumerChange: (isActive) => {
        this.#isActive = isActive;
        this.#emitter.emit("activeConsumerChange", { isActive });
      },
      onReachedEndOfTopic: () => {
        this.#hasReachedEndOfTopic = true;
        this.#emitter.emit("endOfTopic", { topic: this.topic });
      },
      onClosedByBroker: (connection, hint) => this.#onClosedByBroker(connection, hint),
      onConnectionClosed: (connection, error) => this.#session.connectionLost(connection, error),
    });
  }

  #subscribeState(): SubscribeState {
    return {
      consumerId: this.#consumerId,
      topic: this.topic,
      start: this.#resumePoint.subscribeFrom,
      startMessageRollbackDurationSec: this.#resumePoint.rollbackSec,
      consumerEpoch: this.#inbox.epoch,
    };
  }

  #onReady(connection: Connection): void {
    this.#connection = connection;
    const permits = this.#inbox.attach(connection.maxMessageSizeBytes);
    // Before the FLOW, so that less of what is acknowledged comes again.
    this.#acks.flush();
    this.#flow(permits);
    this.#emitter.emit("stateChange", { state: "ready" });
  }

  #onDisconnected(error: PulsarError): void {
    this.#connection = undefined;
    if (!this.#isDurable) this.#rememberPosition();
    // An administrator may move the subscription back before the start of a seek that is over.
    else if (this.#inbox.isStartReached) this.#inbox.filterFrom(EARLIEST);
    this.#inbox.detach();
    this.#acks.onDisconnected();
    this.#negativeAcks.clear();
    this.#chunks.clear();
    this.#lastMessage.forget();
    this.#emitter.emit("stateChange", { state: "reconnecting", error });
  }

  /** The broker forgets a non-durable subscription: the next one begins behind what the application has. */
  #rememberPosition(): void {
    const position = this.#inbox.resumePosition;
    if (position === undefined) {
      // The next subscription begins with everything where this one stood at a time. A seek keeps it.
      if (!this.#seeker.isMoving) this.#inbox.filterFrom(this.#resumePoint.start);
      return;
    }
    this.#resumePoint.resumeAt(position, [this.#chunks.oldestFirstChunk, this.#inbox.oldestFirstChunk]);
    this.#inbox.filterFrom(position);
  }

  #onFailed(error: PulsarError): void {
    this.#inbox.queue.close(error);
    this.#ended.abort(error);
    this.#release();
    this.#emitter.emit("stateChange", { state: "failed", error });
    this.#context.onClosed(this);
  }

  #onClosedByBroker(connection: Connection, hint: BrokerUrls | undefined): void {
    if (this.#unsubscribing !== undefined && this.#connection === connection) {
      this.#unsubscribing.closedWith = { hint };
      return;
    }
    // The broker has no such consumer any more: nothing that is sent for it now would count.
    const isCurrent = this.#connection === connection;
    if (isCurrent) this.#connection = undefined;
    const isSeek = this.#seeker.onClosedByBroker(connection);
    // Also while closing, when the session does not tell: an ACK for an unknown consumer is never answered.
    if (isCurrent) this.#acks.onDisconnected();
    if (isSeek && hint === undefined && this.#session.connection === connection) {
      this.#session.reconnect(new NotConnectedError("closed by the broker for a seek", this.#errorContext), true);
    } else this.#session.closedByBroker(connection, hint);
  }

  #moveTo(position: StartPosition): void {
    this.#resumePoint.moveTo(position);
    this.#lastMessage.forget();
    this.#hasReachedEndOfTopic = false;
    this.#acks.reset();
    this.#negativeAcks.clear();
    this.#chunks.clear();
    // The place for a time is found by the broker, which may go by its own clock.
    this.#inbox.moveTo(position.kind === "time" ? EARLIEST : position);
  }

  #flow(messagePermits: number): void {
    this.#connection?.write(encodeCommand("FLOW", { consumerId: this.#consumerId, messagePermits }));
  }

  #redeliver(entries: readonly EntryPosition[]): void {
    const connection = this.#connection;
    if (connection === undefined) return;
    if (isOrdered(this.#options.subscriptionType)) {
      this.redeliverUnacknowledgedMessages();
      return;
    }
    this.#acks.flush();
    const named: EntryMap<true> = new EntryMap();
    for (const { ledger, entry } of entries) named.set(ledger, entry, true);
    this.#inbox.dropEntries(named);
    for (const frame of encodeRedeliver(this.#consumerId, entries)) connection.write(frame);
  }

  #onUnreadable({ ledger, entry, error, validationError }: UnreadableEntry): void {
    const isAcknowledged = validationError !== undefined;
    if (isAcknowledged) {
      const messageId = [{ ledgerId: ledger, entryId: entry }];
      const ack = { consumerId: this.#consumerId, ackType: 0, messageId, validationError };
      this.#connection?.write(encodeCommand("ACK", ack));
    }
    this.#context.logger.warn("a message cannot be read", { topic: this.topic, error: error.message, isAcknowledged });
    const messageId = new MessageId(ledger, entry, this.#source.partitionIndex);
    this.#emitter.emit("unreadableMessage", { messageId, error, isAcknowledged });
  }
}
