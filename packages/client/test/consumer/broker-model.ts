import { AckSet } from "@pulsewire/protocol";
import type { PartitionConsumer } from "../../src/consumer/partition-consumer.ts";
import type { Message } from "../../src/message.ts";
import { FakeConsumerBroker } from "./consumer-fixture.ts";
import { batch, single, texts } from "./entries.ts";

/** A message that the application has. */
interface Held {
  readonly message: Message<string>;
  /** Number of the delivery that it came with. */
  readonly delivery: number;
}

/** A subscription as a faultless broker keeps it: it applies every ACK that was written and redelivers the rest. */
export class BrokerModel {
  readonly broker = new FakeConsumerBroker();
  readonly isOrdered: boolean;
  readonly receiverQueueSize: number;
  /** What is not acknowledged, by entry. */
  readonly #entries: Map<number, AckSet> = new Map();
  readonly #delivered: Set<number> = new Set();
  /** How often each entry was delivered. */
  readonly #deliveries: Map<number, number> = new Map();
  readonly #sizes: Map<number, number> = new Map();
  readonly #held: Held[] = [];
  readonly #acknowledged: Set<string> = new Set();
  #consumer: PartitionConsumer<string> | undefined;
  #acksSeen = 0;
  #redeliveriesSeen = 0;
  /** Redeliveries of everything on the connections before. */
  #epochBefore = 0;
  #next = 0;

  constructor(isOrdered: boolean, receiverQueueSize: number) {
    this.isOrdered = isOrdered;
    this.receiverQueueSize = receiverQueueSize;
  }

  async start(): Promise<void> {
    const { receiverQueueSize } = this;
    const subscriptionType = this.isOrdered ? "Exclusive" : "Shared";
    this.#consumer = await this.broker.subscribe({
      receiverQueueSize,
      subscriptionType,
      negativeAckRedeliveryDelayMs: 300,
      maxAcknowledgmentGroupSize: 5,
    });
  }

  get consumer(): PartitionConsumer<string> {
    if (this.#consumer === undefined) throw new Error("not started");
    return this.#consumer;
  }

  /** Somebody publishes a message, or a batch. */
  publish(count: number): void {
    this.#entries.set(this.#next, AckSet.ofSize(Math.max(1, count)));
    this.#sizes.set(this.#next, count);
    this.#next += 1;
    this.dispatch();
  }

  /** Sends what the permits allow, in order. */
  dispatch(): void {
    this.#applyCommands();
    const { connection } = this.broker;
    for (const [entry, remaining] of this.#entries) {
      if (connection.permits <= 0) return;
      if (this.#delivered.has(entry) || remaining.isEmpty) continue;
      this.#delivered.add(entry);
      this.#deliveries.set(entry, this.#deliveryOf(entry) + 1);
      const count = this.#sizes.get(entry) ?? 0;
      const fields = {
        ...(this.isOrdered ? { consumerEpoch: connection.redeliveries.length + this.#epochBefore } : {}),
        ...(remaining.remaining < count ? { ackSet: remaining.toWords() } : {}),
        charged: remaining.remaining,
      };
      connection.deliver(count === 0 ? single(entry, "m", fields) : batch(entry, texts("m", count), fields));
      this.#applyCommands();
    }
  }

  /** The application takes a message. @throws when it had acknowledged that message before */
  async receive(): Promise<void> {
    if (this.consumer.queuedMessages === 0) return;
    const message = await this.consumer.receive();
    const key = message.messageId.toString();
    if (this.#acknowledged.has(key)) throw new Error(`${key} came again after it was acknowledged`);
    this.#held.push({ message, delivery: this.#deliveryOf(Number(message.messageId.entryId)) });
    this.dispatch();
  }

  /** The application acknowledges one of the messages that it holds. */
  async acknowledge(pick: number, isCumulative: boolean): Promise<void> {
    const message = this.#held[pick % Math.max(1, this.#held.length)]?.message;
    if (message === undefined) return;
    if (!isCumulative || !this.isOrdered) {
      await this.consumer.acknowledge(message);
      this.#settle((held) => held.messageId.equals(message.messageId));
    } else {
      await this.consumer.acknowledgeCumulative(message);
      this.#settle((held) => !held.messageId.isAfter(message.messageId));
    }
    this.dispatch();
  }

  negativeAcknowledge(pick: number): void {
    const message = this.#held[pick % Math.max(1, this.#held.length)]?.message;
    if (message !== undefined) this.consumer.negativeAcknowledge(message);
  }

  redeliver(): void {
    this.consumer.redeliverUnacknowledgedMessages();
    this.dispatch();
  }

  async pass(ms: number): Promise<void> {
    await this.broker.clock.advance(ms);
    this.dispatch();
  }

  /** The connection is cut: the broker has what was written, and delivers everything else again. */
  async cut(): Promise<void> {
    this.#applyCommands();
    this.#epochBefore += this.broker.connection.redeliveries.length;
    this.broker.connection.close();
    await this.broker.reconnect();
    this.#acksSeen = 0;
    this.#redeliveriesSeen = 0;
    this.#delivered.clear();
    this.dispatch();
  }

  /** Permits that the broker has and those that wait in the queue make up the queue size, but for less than half of it. */
  checkPermits(): void {
    const inUse = this.broker.connection.permits + this.consumer.queuedMessages;
    const threshold = Math.max(1, this.receiverQueueSize >> 1);
    if (inUse > this.receiverQueueSize || inUse <= this.receiverQueueSize - threshold) {
      throw new Error(`${inUse} of ${this.receiverQueueSize} permits are accounted for`);
    }
  }

  /** Reads and acknowledges everything. Returns what the broker still has. */
  async drain(): Promise<number> {
    this.redeliver();
    for (let round = 0; round < 200 && this.#backlog > 0; round++) {
      while (this.consumer.queuedMessages > 0) {
        await this.receive();
        await this.acknowledge(this.#held.length - 1, false);
      }
      await this.pass(100);
      // What the application holds from before comes again only if asked for.
      if (this.consumer.queuedMessages === 0 && this.#backlog > 0) this.redeliver();
    }
    await this.consumer.close();
    return this.#backlog;
  }

  #deliveryOf(entry: number): number {
    return this.#deliveries.get(entry) ?? 0;
  }

  get #backlog(): number {
    let count = 0;
    for (const remaining of this.#entries.values()) count += remaining.remaining;
    return count;
  }

  #settle(test: (message: Message<string>) => boolean): void {
    for (let index = this.#held.length - 1; index >= 0; index--) {
      const held = this.#held[index];
      if (held === undefined || !test(held.message)) continue;
      const { messageId } = held.message;
      // A copy that was delivered before the acknowledgement may still be in the queue.
      if (held.delivery === this.#deliveryOf(Number(messageId.entryId))) this.#acknowledged.add(messageId.toString());
      this.#held.splice(index, 1);
    }
  }

  #applyCommands(): void {
    const { acks, redeliveries } = this.broker.connection;
    for (const { ackType, messageId = [] } of acks.slice(this.#acksSeen)) {
      for (const { entryId, ackSet } of messageId) {
        if (ackType === 1) for (const [entry, remaining] of this.#entries) if (entry < entryId) remaining.ackWords([]);
        this.#entries.get(Number(entryId))?.ackWords(ackSet ?? []);
      }
    }
    this.#acksSeen = acks.length;
    for (const { messageIds = [] } of redeliveries.slice(this.#redeliveriesSeen)) {
      if (messageIds.length === 0) this.#delivered.clear();
      for (const { entryId } of messageIds) this.#delivered.delete(Number(entryId));
    }
    this.#redeliveriesSeen = redeliveries.length;
  }
}
