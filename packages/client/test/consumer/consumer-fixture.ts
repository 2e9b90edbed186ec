import type { ClientContext } from "../../src/client-context.ts";
import type { Connection } from "../../src/connection/connection.ts";
import type { ConsumerOptions } from "../../src/consumer/consumer-options.ts";
import { PartitionConsumer } from "../../src/consumer/partition-consumer.ts";
import { resolveConsumerOptions } from "../../src/consumer/resolve-consumer-options.ts";
import type { Message } from "../../src/message.ts";
import { createPartitionReader } from "../../src/reader/create-reader.ts";
import type { Reader } from "../../src/reader/reader.ts";
import { type ReaderOptions, resolveReaderOptions } from "../../src/reader/reader-options.ts";
import { Schema } from "../../src/schema/schema.ts";
import { silentLogger } from "../../src/util/logger.ts";
import { ManualClock, reactions } from "../util/manual-clock.ts";
import { FakeConsumerConnection } from "./fake-consumer-connection.ts";

export const TOPIC = "persistent://public/default/t";

/** A broker as a consumer sees it: connections one after the other. */
export class FakeConsumerBroker {
  readonly clock = new ManualClock();
  readonly connections: FakeConsumerConnection[] = [];
  /** Run on each new connection before it is used. */
  prepare: (connection: FakeConsumerConnection) => void = () => {};
  /** What the next attempts to connect meet. */
  isDown: Error | undefined;
  closedConsumers = 0;
  readonly context: ClientContext;

  constructor() {
    const context: Partial<ClientContext> = {
      clock: this.clock,
      random: () => 0,
      logger: silentLogger,
      backoff: { initialMs: 100, maxMs: 60_000 },
      operationTimeoutMs: 30_000,
      nextConsumerId: () => 1,
      onClosed: () => {
        this.closedConsumers += 1;
      },
      connector: { connect: () => this.#connect() },
    };
    this.context = context as ClientContext;
  }

  /** The newest connection. */
  get connection(): FakeConsumerConnection {
    const newest = this.connections.at(-1);
    if (newest === undefined) throw new Error("nothing has connected yet");
    return newest;
  }

  async subscribe(options: Partial<ConsumerOptions<string>> = {}): Promise<PartitionConsumer<string>> {
    const resolved = resolveConsumerOptions(
      { topic: TOPIC, subscription: "s", schema: Schema.string, ...options },
      () => 0,
    );
    const consumer = new PartitionConsumer({ options: resolved, context: this.context, partitionIndex: -1 });
    await consumer.open();
    return consumer;
  }

  async read(options: Partial<ReaderOptions<string>> = {}, signal?: AbortSignal): Promise<Reader<string>> {
    const resolved = resolveReaderOptions(
      { topic: TOPIC, startMessageId: "earliest", schema: Schema.string, ...options },
      () => 0,
    );
    return await createPartitionReader(resolved, this.context, -1, signal);
  }

  /** Lets the session's back-off pass, so that it connects again. */
  async reconnect(): Promise<FakeConsumerConnection> {
    const before = this.connections.length;
    for (let waitedMs = 0; waitedMs <= 60_000 && this.connections.length === before; waitedMs += 100) {
      await this.clock.advance(100);
    }
    await reactions();
    if (this.connections.length === before) throw new Error("the consumer did not connect again");
    return this.connection;
  }

  async #connect(): Promise<Connection> {
    if (this.isDown !== undefined) throw this.isDown;
    const connection = new FakeConsumerConnection();
    this.prepare(connection);
    this.connections.push(connection);
    return connection;
  }
}

/** Takes everything that waits in the queue. */
export async function takeAll(consumer: PartitionConsumer<string>): Promise<Message<string>[]> {
  const messages: Message<string>[] = [];
  while (consumer.queuedMessages > 0) messages.push(await consumer.receive());
  return messages;
}

/** The values of messages. */
export function values(messages: readonly Message<string>[]): (string | null)[] {
  return messages.map((message) => message.value);
}

/** How a promise ended so far: its value, the code of its error, or "pending". */
export async function outcome(promise: Promise<unknown>): Promise<unknown> {
  let state: unknown = "pending";
  promise.then(
    (value) => {
      state = value ?? "resolved";
    },
    (error: { code?: string }) => {
      state = error?.code ?? error;
    },
  );
  await reactions();
  return state;
}

/** A message of a list that a test knows to be there. */
export function nth<T>(list: readonly T[], index: number): T {
  const value = list.at(index);
  if (value === undefined) throw new Error(`nothing at ${index}`);
  return value;
}
