import { describe, expect, it } from "vitest";
import { ConsumerBusyError, NotConnectedError, TimeoutError } from "../../src/errors.ts";
import { Deferred } from "../../src/util/deferred.ts";
import { reactions } from "../util/manual-clock.ts";
import { FakeConsumerBroker, outcome, TOPIC } from "./consumer-fixture.ts";
import { single } from "./entries.ts";

describe("SUBSCRIBE", () => {
  it("says what the options say", async () => {
    const broker = new FakeConsumerBroker();
    await broker.subscribe({
      subscription: "sub",
      subscriptionType: "Key_Shared",
      subscriptionInitialPosition: "Earliest",
      consumerName: "me",
      priorityLevel: 3,
      properties: { a: "1" },
      subscriptionProperties: { b: "2" },
      replicateSubscriptionState: true,
      forceTopicCreation: false,
      keySharedPolicy: { mode: "Sticky", ranges: [{ start: 0, end: 99 }], allowOutOfOrderDelivery: true },
    });
    expect(broker.connection.subscribes[0]).toMatchObject({
      topic: TOPIC,
      subscription: "sub",
      subType: 3,
      consumerId: 1,
      consumerName: "me",
      priorityLevel: 3,
      durable: true,
      startMessageId: undefined,
      metadata: [{ key: "a", value: "1" }],
      readCompacted: false,
      initialPosition: 1,
      replicateSubscriptionState: true,
      forceTopicCreation: false,
      keySharedMeta: { keySharedMode: 1, hashRanges: [{ start: 0, end: 99 }], allowOutOfOrderDelivery: true },
      subscriptionProperties: [{ key: "b", value: "2" }],
      consumerEpoch: undefined,
    });
  });

  it("rejects subscribe() with a final error, and leaves nothing behind", async () => {
    const broker = new FakeConsumerBroker();
    broker.prepare = (connection) => {
      connection.answers.set("SUBSCRIBE", () => Promise.reject(new ConsumerBusyError("taken")));
    };
    await expect(broker.subscribe()).rejects.toMatchObject({ code: "CONSUMER_BUSY" });
    await reactions();
    expect(broker.clock.pendingTimers).toBe(0);
    expect(broker.connection.hasConsumer).toBe(false);
  });
});

describe("close", () => {
  it("tells the broker once and resolves each call", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    await Promise.all([consumer.close(), consumer.close(), consumer[Symbol.asyncDispose]()]);
    expect(broker.connection.log.filter((type) => type === "CLOSE_CONSUMER")).toHaveLength(1);
    expect(consumer.state).toBe("closed");
    expect(broker.connection.hasConsumer).toBe(false);
    expect(broker.closedConsumers).toBe(1);
  });

  it("ignores messages that come after it", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const closed = consumer.close();
    broker.connection.deliver(single(0, "late"));
    await closed;
    expect(consumer.queuedMessages).toBe(0);
    expect(broker.connection.flows).toEqual([1000]);
  });

  // B07
  it("wins over a reconnect in back-off: nothing attaches afterwards", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.close();
    await consumer.close();
    await broker.clock.advance(120_000);
    expect(broker.connections).toHaveLength(1);
    expect(broker.clock.pendingTimers).toBe(0);
  });

  // B07
  it("wins over a SUBSCRIBE under way: the late consumer is closed at the broker", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const answer = new Deferred<object>();
    broker.prepare = (connection) => connection.answers.set("SUBSCRIBE", () => answer.promise);
    broker.connection.close();
    await broker.reconnect();
    const closed = consumer.close();
    answer.resolve({});
    await closed;
    expect(broker.connection.log).toEqual(["SUBSCRIBE", "CLOSE_CONSUMER"]);
    expect(broker.connection.hasConsumer).toBe(false);
  });

  it("resolves although the broker cannot be told", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.answers.set("CLOSE_CONSUMER", () => Promise.reject(new TimeoutError("no answer")));
    await consumer.close();
    expect(consumer.state).toBe("closed");
  });

  it("leaves no timer, whatever was going on", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ subscriptionType: "Shared" });
    broker.connection.deliver(single(0, "a"), single(1, "b"));
    await consumer.acknowledge(await consumer.receive());
    consumer.negativeAcknowledge(await consumer.receive());
    consumer.receive({ timeoutMs: 60_000 }).catch(() => {});
    expect(broker.clock.pendingTimers).toBe(3);
    await consumer.close();
    expect(broker.clock.pendingTimers).toBe(0);
  });
});

describe("unsubscribe", () => {
  it("deletes the subscription and closes the consumer, without CLOSE_CONSUMER", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    await consumer.unsubscribe({ force: true });
    expect(broker.connection.requests.at(-1)).toEqual({ type: "UNSUBSCRIBE", body: { consumerId: 1, force: true } });
    expect(consumer.state).toBe("closed");
    expect(broker.connection.hasConsumer).toBe(false);
    await expect(consumer.receive()).rejects.toMatchObject({ code: "ALREADY_CLOSED" });
  });

  it("does not subscribe again when the broker closes the consumer before it answers", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const answer = new Deferred<object>();
    broker.connection.answers.set("UNSUBSCRIBE", () => answer.promise);
    const unsubscribed = consumer.unsubscribe();
    await reactions();
    broker.connection.closeConsumer();
    answer.resolve({});
    await unsubscribed;
    await broker.clock.advance(1000);
    expect(broker.connections).toHaveLength(1);
  });

  it("leaves the consumer as it was when the broker refuses", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.answers.set("UNSUBSCRIBE", () => Promise.reject(new ConsumerBusyError("others are attached")));
    await expect(consumer.unsubscribe()).rejects.toMatchObject({ code: "CONSUMER_BUSY" });
    broker.connection.deliver(single(0, "a"));
    expect((await consumer.receive()).value).toBe("a");
  });

  it("rejects when the connection is lost, and the consumer reconnects", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.answers.set("UNSUBSCRIBE", () => new Promise(() => {}));
    const unsubscribed = consumer.unsubscribe();
    await reactions();
    broker.connection.close(new NotConnectedError("reset"));
    expect(await outcome(unsubscribed)).toBe("NOT_CONNECTED");
    await broker.reconnect();
    expect(consumer.state).toBe("ready");
  });
});
