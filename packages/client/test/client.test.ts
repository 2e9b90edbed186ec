import type { Command } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { PulsarClient } from "../src/client.ts";
import { FakeBroker, type FakePeer } from "./connection/fake-broker.ts";
import { ManualClock, reactions } from "./util/manual-clock.ts";

/** A client of a broker that says yes to everything. */
class ClientFixture {
  readonly broker = new FakeBroker();
  readonly clock = new ManualClock();
  readonly client: PulsarClient;
  partitions = 0;
  /** Command types that are left without an answer. */
  readonly silent: Set<string> = new Set();

  constructor() {
    const { broker, clock } = this;
    const environment = { clock, dialer: broker.dialer, random: () => 0 };
    this.client = new PulsarClient({ serviceUrl: "pulsar://entry:6650" }, environment);
    broker.onCommand = (peer, command) => queueMicrotask(() => this.#answer(peer, command));
  }

  #answer(peer: FakePeer, { type, body }: Command): void {
    if (this.silent.has(type)) return;
    const { requestId = -2 } = body as { requestId?: number };
    if (type === "PARTITIONED_METADATA") {
      peer.send("PARTITIONED_METADATA_RESPONSE", { requestId, response: 0, partitions: this.partitions });
    } else if (type === "LOOKUP") {
      peer.send("LOOKUP_RESPONSE", { requestId, response: 1, brokerServiceUrl: "pulsar://b1:6650" });
    } else if (type === "PRODUCER") {
      peer.send("PRODUCER_SUCCESS", {
        requestId,
        producerName: "p-1",
        lastSequenceId: -1,
        schemaVersion: Buffer.alloc(0),
      });
    } else if (["SUBSCRIBE", "CLOSE_PRODUCER", "CLOSE_CONSUMER"].includes(type)) {
      peer.send("SUCCESS", { requestId });
    }
  }

  /** The commands of the producer's and consumer's connection. */
  sent(): string[] {
    return (this.broker.peers.at(-1)?.received ?? []).map(({ type }) => type);
  }
}

const TOPIC = "persistent://public/default/t";

it("connects to nothing before it is asked to", async () => {
  const { client, broker } = new ClientFixture();
  await reactions();
  expect(broker.dialled).toEqual([]);
  await client.close();
});

it("makes producers, consumers and readers on one connection to the broker of their topic", async () => {
  const { client, broker } = new ClientFixture();
  const producer = await client.createProducer({ topic: "t" });
  const consumer = await client.subscribe({ topic: "t", subscription: "s" });
  const reader = await client.createReader({ topic: "t", startMessageId: "earliest" });
  expect([producer.topic, consumer.topic, reader.topic]).toEqual([TOPIC, TOPIC, TOPIC]);
  expect([producer.state, consumer.state, reader.state]).toEqual(["ready", "ready", "ready"]);
  expect(broker.dialled).toEqual(["entry:6650", "b1:6650"]);
  await client.close();
});

it("gives ids that no other producer or consumer of the client has", async () => {
  const { client, broker } = new ClientFixture();
  await Promise.all([1, 2, 3].map(() => client.createProducer({ topic: "t" })));
  await Promise.all(["a", "b"].map((subscription) => client.subscribe({ topic: "t", subscription })));
  expect(new Set(broker.peer.commands("PRODUCER").map(({ producerId }) => producerId)).size).toBe(3);
  expect(new Set(broker.peer.commands("SUBSCRIBE").map(({ consumerId }) => consumerId)).size).toBe(2);
  await client.close();
});

it("takes many calls at a time without a warning of a leak", async () => {
  const { client } = new ClientFixture();
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on("warning", onWarning);
  const { signal } = new AbortController();
  const topics = Array.from({ length: 50 }, (_, index) => `t-${index}`);
  await Promise.all(topics.map((topic) => client.createProducer({ topic }, { signal })));
  await Promise.all(topics.map((topic) => client.subscribe({ topic, subscription: "s" })));
  await reactions();
  process.off("warning", onWarning);
  expect(warnings).toEqual([]);
  await client.close();
});

describe("misuse", () => {
  it("of options, topics and partitioned topics rejects with a typed error", async () => {
    const fixture = new ClientFixture();
    const { client } = fixture;
    await expect(client.createProducer({ topic: "" })).rejects.toMatchObject({ code: "INVALID_CONFIGURATION" });
    await expect(client.createProducer({ topic: "a/b" })).rejects.toMatchObject({ code: "INVALID_TOPIC_NAME" });
    await expect(client.getPartitionsForTopic("a/b")).rejects.toMatchObject({ code: "INVALID_TOPIC_NAME" });
    fixture.partitions = 3;
    await expect(client.createProducer({ topic: "t" })).rejects.toMatchObject({ code: "NOT_SUPPORTED", topic: TOPIC });
    await client.close();
  });
});

it("names the topics that hold a topic's messages", async () => {
  const fixture = new ClientFixture();
  expect(await fixture.client.getPartitionsForTopic("t")).toEqual([TOPIC]);
  fixture.partitions = 2;
  const partitions = [`${TOPIC}-partition-0`, `${TOPIC}-partition-1`];
  expect(await fixture.client.getPartitionsForTopic("t")).toEqual(partitions);
  await fixture.client.close();
});

it("tells of connections", async () => {
  const { client, broker } = new ClientFixture();
  const events: string[] = [];
  client.on("connected", ({ remote }) => events.push(`connected ${remote}`));
  client.on("disconnected", ({ remote, error }) => events.push(`disconnected ${remote} ${error.message}`));
  await client.getPartitionsForTopic("t");
  broker.peer.close(new Error("read ECONNRESET"));
  await reactions();
  const lost = "disconnected entry:6650 the connection to entry:6650 was lost: read ECONNRESET";
  expect(events).toEqual(["connected entry:6650", lost]);
  await client.close();
});

describe("close", () => {
  it("closes what was made at the broker, then the connections, and leaves no timer", async () => {
    const fixture = new ClientFixture();
    const { client, broker, clock } = fixture;
    const producer = await client.createProducer({ topic: "t" });
    const consumer = await client.subscribe({ topic: "t", subscription: "s" });
    await client.close();
    expect(fixture.sent()).toEqual(expect.arrayContaining(["CLOSE_PRODUCER", "CLOSE_CONSUMER"]));
    expect([client.state, producer.state, consumer.state]).toEqual(["closed", "closed", "closed"]);
    expect(broker.peers.every(({ isDestroyed }) => isDestroyed)).toBe(true);
    expect(clock.pendingTimers).toBe(0);
  });

  // B02
  it("may be called again and by several at a time", async () => {
    const { client } = new ClientFixture();
    await client.createProducer({ topic: "t" });
    await Promise.all([client.close(), client.close(), client[Symbol.asyncDispose]()]);
    await client.close();
    expect(client.state).toBe("closed");
  });

  it("gives up what is being made, undoes it at the broker, and waits for that", async () => {
    const fixture = new ClientFixture();
    const { client, clock } = fixture;
    fixture.silent.add("PRODUCER");
    const making = client.createProducer({ topic: "t" });
    making.catch(() => {});
    await reactions();
    await reactions();
    expect(fixture.sent()).toContain("PRODUCER");
    await client.close();
    await expect(making).rejects.toMatchObject({ code: "ALREADY_CLOSED" });
    expect(fixture.sent()).toContain("CLOSE_PRODUCER");
    expect(clock.pendingTimers).toBe(0);
  });

  it("makes every later call reject with AlreadyClosedError", async () => {
    const { client } = new ClientFixture();
    await client.close();
    const closed = { code: "ALREADY_CLOSED" };
    await expect(client.createProducer({ topic: "t" })).rejects.toMatchObject(closed);
    await expect(client.subscribe({ topic: "t", subscription: "s" })).rejects.toMatchObject(closed);
    await expect(client.createReader({ topic: "t", startMessageId: "latest" })).rejects.toMatchObject(closed);
    await expect(client.getPartitionsForTopic("t")).rejects.toMatchObject(closed);
  });

  it("forgets what was closed before", async () => {
    const fixture = new ClientFixture();
    const producer = await fixture.client.createProducer({ topic: "t" });
    await producer.close();
    await fixture.client.close();
    expect(fixture.sent().filter((type) => type === "CLOSE_PRODUCER")).toHaveLength(1);
  });
});

it("gives a call up when its signal aborts, and leaves nothing at the broker", async () => {
  const fixture = new ClientFixture();
  fixture.silent.add("SUBSCRIBE");
  const abort = new AbortController();
  const call = { signal: abort.signal };
  const making = fixture.client.subscribe({ topic: "t", subscription: "s" }, call);
  making.catch(() => {});
  await reactions();
  await reactions();
  abort.abort(new Error("enough"));
  await expect(making).rejects.toThrow("enough");
  await reactions();
  expect(fixture.sent().slice(-2)).toEqual(["SUBSCRIBE", "CLOSE_CONSUMER"]);
  await fixture.client.close();
});
