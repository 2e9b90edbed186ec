import type { MessageId } from "@pulsewire/protocol";
import type { ClientContext } from "../../src/client-context.ts";
import type { Connection } from "../../src/connection/connection.ts";
import { createPartitionProducer } from "../../src/producer/create-producer.ts";
import type { Producer } from "../../src/producer/producer.ts";
import type { ProducerMessage, SendOptions } from "../../src/producer/producer-message.ts";
import { type ProducerOptions, resolveProducerOptions } from "../../src/producer/producer-options.ts";
import { Schema } from "../../src/schema/schema.ts";
import { Limiter } from "../../src/util/limiter.ts";
import { silentLogger } from "../../src/util/logger.ts";
import { ManualClock, reactions } from "../util/manual-clock.ts";
import { FakeConnection } from "./fake-connection.ts";

export const TOPIC = "persistent://public/default/t";

/** A broker as a producer sees it: connections one after the other, or none. */
export class FakeBroker {
  readonly clock = new ManualClock();
  readonly connections: FakeConnection[] = [];
  readonly hints: unknown[] = [];
  /** What the next attempts to connect meet; a new connection each time by default. */
  isDown: Error | undefined;
  /** Run on each new connection before it is used. */
  prepare: (connection: FakeConnection) => void = () => {};
  readonly memory: Limiter;
  closedProducers = 0;
  readonly context: ClientContext;

  constructor(memoryLimitBytes = 0) {
    this.memory = new Limiter(memoryLimitBytes);
    const context: Partial<ClientContext> = {
      clock: this.clock,
      random: () => 0,
      logger: silentLogger,
      backoff: { initialMs: 100, maxMs: 60_000 },
      operationTimeoutMs: 30_000,
      memoryLimiter: this.memory,
      nextProducerId: () => 1,
      onClosed: () => {
        this.closedProducers += 1;
      },
      connector: { connect: (_topic, { hint }) => this.#connect(hint) },
    };
    this.context = context as ClientContext;
  }

  /** The newest connection. */
  get connection(): FakeConnection {
    const newest = this.connections.at(-1);
    if (newest === undefined) throw new Error("nothing has connected yet");
    return newest;
  }

  async create(options: Partial<ProducerOptions<string>> = {}): Promise<Producer<string>> {
    return createPartitionProducer(resolve(options), this.context, -1);
  }

  /** Lets the session's first back-off pass, so that it connects again. */
  async reconnect(): Promise<FakeConnection> {
    const before = this.connections.length;
    await this.clock.advance(100);
    if (this.connections.length === before) throw new Error("the producer did not connect again");
    return this.connection;
  }

  async #connect(hint: unknown): Promise<Connection> {
    this.hints.push(hint);
    if (this.isDown !== undefined) throw this.isDown;
    const connection = new FakeConnection();
    this.prepare(connection);
    this.connections.push(connection);
    return connection;
  }
}

function resolve(options: Partial<ProducerOptions<string>>): ReturnType<typeof resolveProducerOptions<string>> {
  return resolveProducerOptions({ topic: TOPIC, schema: Schema.string, ...options });
}

/** How a promise ended so far: its value, the code of its error, or "pending". */
export async function outcome(promise: Promise<unknown>): Promise<unknown> {
  let state: unknown = "pending";
  promise.then(
    (value) => {
      state = value ?? "resolved";
    },
    (error: { code?: string }) => {
      state = error.code ?? error;
    },
  );
  await reactions();
  return state;
}

/** {@link outcome} of each, where a value counts as "sent". */
export async function outcomes(promises: readonly Promise<unknown>[]): Promise<string[]> {
  const states = await Promise.all(promises.map((promise) => outcome(promise)));
  return states.map((state) => (typeof state === "string" ? state : "sent"));
}

/** send() whose rejection a test looks at later, or not at all. */
export function send(
  producer: Producer<string>,
  message: ProducerMessage<string>,
  options?: SendOptions,
): Promise<MessageId> {
  const sent = producer.send(message, options);
  sent.catch(() => {});
  return sent;
}
