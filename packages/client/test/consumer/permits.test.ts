import { describe, expect, it } from "vitest";
import { Permits } from "../../src/consumer/permits.ts";
import { FakeConsumerBroker, takeAll } from "./consumer-fixture.ts";
import { batch, chunk, damaged, type Entry, single, texts } from "./entries.ts";

describe("Permits", () => {
  it.each([
    [1, 1],
    [2, 1],
    [3, 1],
    [10, 5],
    [1000, 500],
  ])("of a queue of %i asks for a FLOW after %i", (queueSize, threshold) => {
    const permits = new Permits(queueSize);
    expect(permits.restart()).toBe(queueSize);
    for (let count = 1; count < threshold; count++) expect(permits.giveBack(1)).toBe(0);
    expect(permits.giveBack(1)).toBe(threshold);
    expect(permits.giveBack(0)).toBe(0);
  });

  it("grants everything that came back together", () => {
    const permits = new Permits(10);
    expect(permits.giveBack(4)).toBe(0);
    expect(permits.giveBack(7)).toBe(11);
    expect(permits.returned).toBe(0);
  });

  it("forgets what came back before a new SUBSCRIBE", () => {
    const permits = new Permits(10);
    permits.giveBack(4);
    permits.restart();
    expect(permits.giveBack(4)).toBe(0);
  });
});

describe("FLOW", () => {
  it("grants the whole queue after SUBSCRIBE, then each half that was taken", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ receiverQueueSize: 10 });
    const { connection } = broker;
    expect(connection.log).toEqual(["SUBSCRIBE", "FLOW"]);
    connection.deliver(batch(0, texts("a", 10)));
    expect(connection.flows).toEqual([10]);
    for (let count = 0; count < 4; count++) await consumer.receive();
    expect(connection.flows).toEqual([10]);
    await consumer.receive();
    expect(connection.flows).toEqual([10, 5]);
  });

  // B38
  it("lets a broker overshoot: everything arrives and nothing is dropped", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ receiverQueueSize: 10 });
    const { connection } = broker;
    let received = 0;
    for (let entry = 0; entry < 20; entry++) {
      while (connection.permits <= 0) {
        await consumer.receive();
        received += 1;
      }
      connection.deliver(batch(entry, texts("m", 500)));
    }
    received += (await takeAll(consumer)).length;
    expect(received).toBe(10_000);
    expect(connection.permits).toBeGreaterThan(0);
  });

  // B37
  const dropped: readonly (readonly [string, (entry: number) => Entry])[] = [
    ["a damaged message", (entry) => damaged(single(entry, "x"))],
    ["a damaged batch", (entry) => damaged(batch(entry, texts("x", 3)))],
    ["a marker", (entry) => single(entry, "x", { metadata: { markerType: 21 } })],
    [
      "an encrypted message",
      (entry) => single(entry, "x", { metadata: { encryptionKeys: [{ key: "k", value: Buffer.from("v") }] } }),
    ],
    ["an unknown compression", (entry) => batch(entry, ["x", "y"], { metadata: { compression: 9 } })],
    ["a batch that is none", (entry) => single(entry, "x", { metadata: { numMessagesInBatch: 4 }, charged: 4 })],
    [
      "a batch that claims far more than it holds",
      (entry) => single(entry, "x", { metadata: { numMessagesInBatch: 1000 }, charged: 1000 }),
    ],
    ["a batch compacted away", (entry) => batch(entry, ["x"], { singles: [{ compactedOut: true }] })],
    ["an orphaned chunk", (entry) => chunk(entry, `u${entry}`, 1, ["x", "y"])],
    ["a message of an old epoch", (entry) => batch(entry, ["x", "y"], { consumerEpoch: 0 })],
  ];
  it.each(dropped)("comes back for %s", async (_, entryOf) => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ receiverQueueSize: 4 });
    const { connection } = broker;
    consumer.redeliverUnacknowledgedMessages();
    for (let entry = 0; entry < 50; entry++) connection.deliver(entryOf(entry));
    let received = 0;
    for (let entry = 50; entry < 150; entry++) {
      expect(connection.permits).toBeGreaterThan(0);
      connection.deliver(single(entry, "normal", { consumerEpoch: 1 }));
      received += (await takeAll(consumer)).length;
    }
    expect(received).toBe(100);
    expect(connection.permits).toBeLessThanOrEqual(4 + 2);
  });

  it("does not come back for indexes that the broker's ack_set leaves out", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ receiverQueueSize: 10, subscriptionType: "Shared" });
    const { connection } = broker;
    // 1022: index 0 of 10 is acknowledged.
    connection.deliver(batch(0, texts("a", 10), { ackSet: [1022], charged: 9 }));
    const messages = await takeAll(consumer);
    expect(messages.map((message) => message.value)).toEqual(texts("a", 10).slice(1));
    expect(connection.permits).toBe(10 - 9 + 5);
    await takeAll(consumer);
    connection.deliver(single(1, "b"));
    await consumer.receive();
    expect(connection.flows).toEqual([10, 5, 5]);
  });

  // B09
  it("starts anew after a reconnect: a half full queue is dropped and the whole queue granted", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ receiverQueueSize: 10 });
    broker.connection.deliver(batch(0, texts("a", 10)));
    for (let count = 0; count < 4; count++) await consumer.receive();
    broker.connection.close();
    expect(consumer.queuedMessages).toBe(0);
    const connection = await broker.reconnect();
    expect(connection.flows).toEqual([10]);
    let received = 0;
    for (let entry = 0; entry < 1000; entry++) {
      expect(connection.permits).toBeGreaterThan(0);
      connection.deliver(single(entry, "b"));
      received += (await takeAll(consumer)).length;
    }
    expect(received).toBe(1000);
  });
});
