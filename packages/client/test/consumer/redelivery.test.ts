import { describe, expect, it } from "vitest";
import { FakeConsumerBroker, nth, takeAll, values } from "./consumer-fixture.ts";
import { batch, chunk, single, texts } from "./entries.ts";

describe("negative acknowledgement", () => {
  it("names the entries after the delay, in one command, and never before", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ subscriptionType: "Shared", negativeAckRedeliveryDelayMs: 1000 });
    broker.connection.deliver(single(0, "a"), single(1, "b"));
    consumer.negativeAcknowledge(await takeAll(consumer));
    await broker.clock.advance(999);
    expect(broker.connection.redeliveries).toEqual([]);
    await broker.clock.advance(1 + 256);
    expect(broker.connection.redeliveries).toHaveLength(1);
    expect(broker.connection.redeliveries[0]?.messageIds?.map((id) => id.entryId)).toEqual([0, 1]);
    expect(broker.clock.pendingTimers).toBe(0);
  });

  it("uses one timer however many messages wait, and none before", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ subscriptionType: "Shared" });
    for (let entry = 0; entry < 500; entry++) broker.connection.deliver(single(entry, "a"));
    expect(broker.clock.pendingTimers).toBe(0);
    for (const message of await takeAll(consumer)) {
      consumer.negativeAcknowledge(message);
      await broker.clock.advance(1);
    }
    expect(broker.clock.pendingTimers).toBe(1);
    await broker.clock.advance(61_000);
    expect(broker.connection.redeliveries.flatMap((command) => command.messageIds ?? [])).toHaveLength(500);
    expect(broker.clock.pendingTimers).toBe(0);
  });

  it("of more than a thousand entries takes several commands", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ subscriptionType: "Shared", receiverQueueSize: 3000 });
    for (let entry = 0; entry < 2500; entry++) broker.connection.deliver(single(entry, "a"));
    consumer.negativeAcknowledge(await takeAll(consumer));
    await broker.clock.advance(61_000);
    expect(broker.connection.redeliveries.map((command) => command.messageIds?.length)).toEqual([1000, 1000, 500]);
  });

  it("is withdrawn by an acknowledgement", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ subscriptionType: "Shared" });
    broker.connection.deliver(single(0, "a"), single(1, "b"));
    const messages = await takeAll(consumer);
    consumer.negativeAcknowledge(messages);
    await consumer.acknowledge(nth(messages, 0));
    await broker.clock.advance(61_000);
    expect(broker.connection.redeliveries.flatMap((command) => command.messageIds ?? [])).toEqual([
      expect.objectContaining({ entryId: 1 }),
    ]);
  });

  // B49
  it("of one message of a batch brings back that message only, also from a broker without batch index acknowledgement", async () => {
    for (const batchIndexAckEnabled of [true, false]) {
      const broker = new FakeConsumerBroker();
      const consumer = await broker.subscribe({
        subscriptionType: "Shared",
        batchIndexAckEnabled,
        receiverQueueSize: 10,
      });
      const { connection } = broker;
      connection.deliver(batch(0, texts("a", 10)));
      const messages = await takeAll(consumer);
      await consumer.acknowledge(messages.filter((_, index) => index !== 7));
      consumer.negativeAcknowledge(nth(messages, 7));
      await broker.clock.advance(61_000);
      connection.deliver(batch(0, texts("a", 10), { redeliveryCount: 1 }));
      const again = await takeAll(consumer);
      expect(values(again)).toEqual(["a7"]);
      expect(again[0]?.redeliveryCount).toBe(1);
      // One more has come back and waits for half the queue.
      expect(connection.permits).toBe(9);
      await consumer.acknowledge(again);
      await broker.clock.advance(100);
      expect(connection.acked.at(-1)).toBe("1:0");
    }
  });

  it("sends the acknowledgements first and drops what is still queued of the entries", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({
      subscriptionType: "Shared",
      receiverQueueSize: 10,
      negativeAckRedeliveryDelayMs: 100,
      acknowledgmentGroupTimeMs: 10_000,
    });
    const { connection } = broker;
    connection.deliver(batch(0, texts("a", 4)), single(1, "b"));
    await consumer.acknowledge(await consumer.receive());
    consumer.negativeAcknowledge(await consumer.receive());
    await broker.clock.advance(200);
    expect(connection.log).toEqual(["SUBSCRIBE", "FLOW", "ACK", "REDELIVER_UNACKNOWLEDGED_MESSAGES"]);
    expect(values(await takeAll(consumer))).toEqual(["b"]);
    expect(connection.permits).toBe(5 + 5);
  });

  it("names every chunk of a chunked message", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ subscriptionType: "Shared" });
    const parts = ["ab", "c"];
    broker.connection.deliver(chunk(0, "u", 0, parts), chunk(1, "u", 1, parts));
    consumer.negativeAcknowledge(await consumer.receive());
    await broker.clock.advance(61_000);
    expect(broker.connection.redeliveries[0]?.messageIds?.map((id) => id.entryId)).toEqual([0, 1]);
  });

  it("has everything redelivered, in a new epoch, on Exclusive and Failover", async () => {
    for (const subscriptionType of ["Exclusive", "Failover"] as const) {
      const broker = new FakeConsumerBroker();
      const consumer = await broker.subscribe({ subscriptionType });
      broker.connection.deliver(single(0, "a", { consumerEpoch: 0 }), single(1, "b", { consumerEpoch: 0 }));
      consumer.negativeAcknowledge(await consumer.receive());
      await broker.clock.advance(61_000);
      expect(broker.connection.redeliveries).toMatchObject([{ consumerEpoch: 1 }]);
      expect(broker.connection.redeliveries[0]?.messageIds ?? []).toEqual([]);
      expect(consumer.queuedMessages).toBe(0);
    }
  });

  it("is forgotten with its connection, since the broker redelivers by itself", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ subscriptionType: "Shared" });
    broker.connection.deliver(single(0, "a"));
    consumer.negativeAcknowledge(await consumer.receive());
    broker.connection.close();
    const connection = await broker.reconnect();
    await broker.clock.advance(120_000);
    expect(connection.redeliveries).toEqual([]);
  });
});

describe("redeliverUnacknowledgedMessages", () => {
  it("drops what was in flight with its permits, and takes the new epoch only", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ receiverQueueSize: 4 });
    const { connection } = broker;
    expect(connection.subscribes[0]?.consumerEpoch).toBe(0);
    connection.deliver(single(0, "a", { consumerEpoch: 0 }), single(1, "b", { consumerEpoch: 0 }));
    await consumer.receive();
    consumer.redeliverUnacknowledgedMessages();
    expect(connection.redeliveries).toMatchObject([{ consumerEpoch: 1 }]);
    connection.deliver(single(2, "c", { consumerEpoch: 0 }));
    connection.deliver(single(0, "a", { consumerEpoch: 1 }), single(1, "b", { consumerEpoch: 1 }));
    expect(values(await takeAll(consumer))).toEqual(["a", "b"]);
    expect(connection.permits).toBeGreaterThanOrEqual(3);
    connection.close();
    expect((await broker.reconnect()).subscribes[0]?.consumerEpoch).toBe(1);
  });

  it("sends no epoch and filters by none on Shared", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ subscriptionType: "Shared" });
    const { connection } = broker;
    expect(connection.subscribes[0]?.consumerEpoch).toBeUndefined();
    consumer.redeliverUnacknowledgedMessages();
    expect(connection.redeliveries[0]?.consumerEpoch).toBeUndefined();
    connection.deliver(single(0, "a"));
    expect(consumer.queuedMessages).toBe(1);
  });

  it("takes messages of a broker that knows no epochs", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    consumer.redeliverUnacknowledgedMessages();
    broker.connection.deliver(single(0, "a"));
    expect(consumer.queuedMessages).toBe(1);
  });
});
