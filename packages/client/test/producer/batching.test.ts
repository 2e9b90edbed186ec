import { describe, expect, it } from "vitest";
import { FakeBroker, outcomes, send } from "./producer-fixture.ts";

describe("batching", () => {
  it("publishes a full batch at once and the rest after the publish delay", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingMaxMessages: 3, batchingMaxPublishDelayMs: 10 });
    const sends = ["a", "b", "c", "d", "e"].map((value) => send(producer, { value }));
    expect(broker.connection.texts()).toEqual(["a", "b", "c"]);
    await broker.clock.advance(9);
    expect(broker.connection.frames).toHaveLength(1);
    await broker.clock.advance(1);
    expect(broker.connection.texts()).toEqual(["a", "b", "c", "d", "e"]);
    broker.connection.receiptAll();
    expect(await outcomes(sends)).toEqual(["sent", "sent", "sent", "sent", "sent"]);
  });

  it("names first, last and number of sequence ids in SEND and metadata", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingMaxMessages: 3 });
    for (const value of ["a", "b", "c"]) void send(producer, { value, key: `key-${value}` });
    const [entry] = broker.connection.sends();
    expect(entry).toMatchObject({ sequenceId: 0, highestSequenceId: 2, numMessages: 3 });
    expect(entry?.metadata).toMatchObject({
      producerName: "standalone-0-1",
      sequenceId: 0,
      highestSequenceId: 2,
      numMessagesInBatch: 3,
      publishTime: broker.clock.now(),
      partitionKey: "key-a",
    });
    expect(entry?.metadata.uncompressedSize).toBe(entry?.payload.length);
    expect(entry?.messages.map(({ single }) => [single?.sequenceId, single?.partitionKey])).toEqual([
      [0, "key-a"],
      [1, "key-b"],
      [2, "key-c"],
    ]);
  });

  it("gives each message of a batch its own id", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingMaxMessages: 2 });
    const sends = [send(producer, { value: "a" }), send(producer, { value: "b" })];
    broker.connection.receipt(0, 5, 9);
    const ids = await Promise.all(sends);
    expect(ids.map((id) => [id.ledgerId, id.entryId, id.batchIndex, id.batchSize])).toEqual([
      [5n, 9n, 0, 2],
      [5n, 9n, 1, 2],
    ]);
  });

  it("sends a lone message of a batch window plainly, as it was when it was handed over", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    const orderingKey = Buffer.from("o");
    const sent = send(producer, { value: "alone", key: "k", orderingKey, properties: { p: "1" }, eventTime: 5 });
    orderingKey.fill(0);
    await broker.clock.advance(1);
    const [entry] = broker.connection.sends();
    expect(entry?.metadata.numMessagesInBatch).toBeUndefined();
    expect(entry?.numMessages).toBeUndefined();
    expect(entry?.messages).toEqual([{ text: "alone", single: undefined }]);
    expect(entry?.metadata).toMatchObject({ partitionKey: "k", eventTime: 5, properties: [{ key: "p", value: "1" }] });
    expect(Buffer.from(entry?.metadata.orderingKey ?? []).toString()).toBe("o");
    broker.connection.receiptAll();
    expect((await sent).batchIndex).toBe(-1);
  });

  it("starts a new batch when the bytes of the payloads would exceed the maximum", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingMaxBytes: 10 });
    for (const value of ["aaaa", "bbbb", "cccc"]) void send(producer, { value });
    await broker.clock.advance(1);
    expect(broker.connection.sends().map((entry) => entry.messages.length)).toEqual([2, 1]);
  });

  it("bounds a batch of messages without payload by their metadata", async () => {
    const broker = new FakeBroker();
    broker.prepare = (connection) => {
      connection.maxMessageSizeBytes = 50_000;
    };
    const producer = await broker.create();
    const properties = { p: "x".repeat(10_000) };
    const sends = Array.from({ length: 12 }, () => send(producer, { value: null, properties }));
    await broker.clock.advance(1);
    const written = broker.connection.sends();
    expect(written.length).toBeGreaterThan(2);
    expect(written.every((entry) => entry.frame.length < 50_000)).toBe(true);
    broker.connection.receiptAll();
    expect(new Set(await outcomes(sends))).toEqual(new Set(["sent"]));
  });

  it("leaves room for the key of the first message, which goes beside the batch", async () => {
    const broker = new FakeBroker();
    broker.prepare = (connection) => {
      connection.maxMessageSizeBytes = 10_000;
    };
    const producer = await broker.create();
    const sends = ["a", "b"].map((value) =>
      send(producer, { value, key: value.repeat(3500), properties: { p: value.repeat(1000) } }),
    );
    await broker.clock.advance(1);
    broker.connection.receiptAll();
    expect(await outcomes(sends)).toEqual(["sent", "sent"]);
  });

  it("leaves no timer behind when batches fill up", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingMaxMessages: 2, sendTimeoutMs: 0 });
    for (let index = 0; index < 10; index++) void send(producer, { value: "x" });
    expect(broker.clock.pendingTimers).toBe(0);
  });

  // B27
  it("sends a delayed message by itself and in its turn", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    void send(producer, { value: "a" });
    void send(producer, { value: "b", deliverAfterMs: 3000 });
    void send(producer, { value: "c" });
    await broker.clock.advance(1);
    const sends = broker.connection.sends();
    expect(sends.map((entry) => entry.messages.map(({ text }) => text))).toEqual([["a"], ["b"], ["c"]]);
    expect(sends.map((entry) => entry.metadata.deliverAtTime)).toEqual([undefined, expect.any(Number), undefined]);
  });

  it("sends a message with replication clusters of its own by itself", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    void send(producer, { value: "a" });
    void send(producer, { value: "b", replicationClusters: ["west"] });
    void send(producer, { value: "c", disableReplication: true });
    await broker.clock.advance(1);
    expect(broker.connection.sends().map((entry) => entry.metadata.replicateTo)).toEqual([
      undefined,
      ["west"],
      ["__local__"],
    ]);
  });

  // B25
  it("never puts a repeated sequence id into a batch with new ones", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    for (const sequenceId of [1, 2, 3, 4, 5, 3, 6, 7, 8]) void send(producer, { value: `${sequenceId}`, sequenceId });
    await broker.clock.advance(1);
    const sends = broker.connection.sends();
    expect(sends.map((entry) => [entry.sequenceId, entry.highestSequenceId])).toEqual([
      [1, 5],
      [3, undefined],
      [6, 8],
    ]);
  });

  // B21
  it("rejects one oversize message of a batch window and sends its neighbours", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    const sends = ["x".repeat(100), "x".repeat(6 * 1024 * 1024), "x".repeat(100)].map((value) =>
      send(producer, { value }),
    );
    await broker.clock.advance(1);
    broker.connection.receiptAll();
    expect(await outcomes(sends)).toEqual(["sent", "MESSAGE_TOO_BIG", "sent"]);
    const more = Array.from({ length: 1000 }, () => send(producer, { value: "x" }));
    broker.connection.receiptAll(2);
    expect(new Set(await outcomes(more))).toEqual(new Set(["sent"]));
    expect(producer.stats).toMatchObject({
      pendingMessages: 0,
      pendingBytes: 0,
      messagesFailed: 1,
      messagesSent: 1002,
    });
  });

  it("sends every message by itself when batching is off", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingEnabled: false });
    void send(producer, { value: "a" });
    void send(producer, { value: "b" });
    expect(broker.connection.sends().map((entry) => [entry.sequenceId, entry.metadata.numMessagesInBatch])).toEqual([
      [0, undefined],
      [1, undefined],
    ]);
  });
});
