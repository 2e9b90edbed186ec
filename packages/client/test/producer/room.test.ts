import { describe, expect, it } from "vitest";
import { brokerError } from "./fake-connection.ts";
import { FakeBroker, outcome, outcomes, send } from "./producer-fixture.ts";

describe("room for messages", () => {
  // B35
  it("lets messages in as receipts make room, in the order of their sends", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ maxPendingMessages: 10, blockIfQueueFull: true, batchingEnabled: false });
    const order: number[] = [];
    const sends = Array.from({ length: 1000 }, (_, index) =>
      send(producer, { value: `${index}` }).then(
        () => order.push(index),
        () => order.push(index),
      ),
    );
    expect(producer.stats).toMatchObject({ pendingMessages: 10, waitingMessages: 990 });
    for (let index = 0; index < 1000; index++) {
      if (index % 7 === 3) broker.connection.sendError(index, "NotAllowedError");
      else broker.connection.receipt(index);
    }
    await Promise.all(sends);
    expect(order).toEqual(Array.from({ length: 1000 }, (_, index) => index));
    expect(broker.connection.texts()).toEqual(Array.from({ length: 1000 }, (_, index) => `${index}`));
    expect(producer.stats).toMatchObject({ pendingMessages: 0, waitingMessages: 0 });
  });

  it("counts the messages of the open batch", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ maxPendingMessages: 2 });
    const sends = ["a", "b", "c"].map((value) => send(producer, { value }));
    expect(await outcomes(sends)).toEqual(["pending", "pending", "PRODUCER_QUEUE_IS_FULL"]);
    await broker.clock.advance(1);
    broker.connection.receiptAll();
    const later = send(producer, { value: "d" });
    await broker.clock.advance(1);
    broker.connection.receiptAll(1);
    expect(await outcomes([...sends, later])).toEqual(["sent", "sent", "PRODUCER_QUEUE_IS_FULL", "sent"]);
  });

  it("does not let a small message overtake one that waits for memory", async () => {
    const broker = new FakeBroker(2000);
    const producer = await broker.create({ blockIfQueueFull: true, batchingEnabled: false });
    const sends = [1000, 1000, 1].map((size) => send(producer, { value: "x".repeat(size) }));
    expect(broker.connection.texts().map((text) => text.length)).toEqual([1000]);
    broker.connection.receipt(0);
    await broker.clock.advance(0);
    expect(broker.connection.texts().map((text) => text.length)).toEqual([1000, 1000, 1]);
    broker.connection.receiptAll(1);
    expect(await outcomes(sends)).toEqual(["sent", "sent", "sent"]);
  });

  it("shares the client's memory between producers in turn", async () => {
    const broker = new FakeBroker(1000);
    const first = await broker.create({ blockIfQueueFull: true, batchingEnabled: false });
    const firstConnection = broker.connection;
    const second = await broker.create({ blockIfQueueFull: true, batchingEnabled: false });
    const secondConnection = broker.connection;
    const value = "x".repeat(500);
    for (let index = 0; index < 3; index++) {
      void send(first, { value });
      void send(second, { value });
    }
    const written = (): number[] => [firstConnection.frames.length, secondConnection.frames.length];
    expect(written()).toEqual([1, 0]);
    firstConnection.receipt(0);
    await broker.clock.advance(0);
    expect(written()).toEqual([1, 1]);
    secondConnection.receipt(0);
    await broker.clock.advance(0);
    expect(written()).toEqual([2, 1]);
  });

  it("asks for memory for the next message when the first in line has timed out", async () => {
    const broker = new FakeBroker(1000);
    const other = await broker.create({ sendTimeoutMs: 0, batchingEnabled: false });
    const otherConnection = broker.connection;
    const producer = await broker.create({ sendTimeoutMs: 2000, blockIfQueueFull: true, batchingEnabled: false });
    const value = "x".repeat(700);
    void send(other, { value });
    const first = send(producer, { value });
    await broker.clock.advance(1000);
    const second = send(producer, { value });
    await broker.clock.advance(1000);
    expect(await outcomes([first, second])).toEqual(["TIMEOUT", "pending"]);
    otherConnection.receipt(0);
    await broker.clock.advance(0);
    broker.connection.receipt(0);
    expect(await outcomes([second])).toEqual(["sent"]);
  });

  it("rejects what does not fit into the memory limit when it must not wait", async () => {
    const broker = new FakeBroker(1000);
    const producer = await broker.create();
    const sends = [500, 500].map((size) => send(producer, { value: "x".repeat(size) }));
    expect(await outcomes(sends)).toEqual(["pending", "MEMORY_BUFFER_IS_FULL"]);
  });

  it("takes a message above the whole limit when nothing else is on its way", async () => {
    const broker = new FakeBroker(1000);
    const producer = await broker.create({ batchingEnabled: false });
    const sent = send(producer, { value: "x".repeat(5000) });
    broker.connection.receipt(0);
    expect(await outcomes([sent])).toEqual(["sent"]);
  });

  it("withdraws a waiting message when its signal is aborted, and lets the next one in", async () => {
    const broker = new FakeBroker(1000);
    const producer = await broker.create({ blockIfQueueFull: true, batchingEnabled: false });
    const abort = new AbortController();
    const first = send(producer, { value: "a".repeat(600) });
    const second = send(producer, { value: "b".repeat(600) }, { signal: abort.signal });
    const third = send(producer, { value: "c" });
    const reason = new Error("changed my mind");
    abort.abort(reason);
    expect(await outcome(second)).toBe(reason);
    expect(broker.connection.texts().map((text) => text[0])).toEqual(["a"]);
    broker.connection.receipt(0);
    await broker.clock.advance(0);
    broker.connection.receiptAll(1);
    expect(await outcomes([first, third])).toEqual(["sent", "sent"]);
    expect(broker.connection.texts().map((text) => text[0])).toEqual(["a", "c"]);
    expect(broker.memory.used).toBe(0);
  });

  it("rejects a message that was let in with the reason of its signal, though it may be published", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingEnabled: false });
    const abort = new AbortController();
    const sent = send(producer, { value: "a" }, { signal: abort.signal });
    const reason = new Error("changed my mind");
    abort.abort(reason);
    expect(await outcome(sent)).toBe(reason);
    broker.connection.receipt(0);
    expect(producer.stats.pendingMessages).toBe(0);
    expect(await outcome(send(producer, { value: "b" }, { signal: abort.signal }))).toBe(reason);
    expect(broker.connection.texts()).toEqual(["a"]);
  });

  // B30
  it.each([
    ["timeouts", "TIMEOUT"],
    ["oversize messages", "MESSAGE_TOO_BIG"],
    ["a close without draining", "ALREADY_CLOSED"],
    ["a terminated topic", "TOPIC_TERMINATED"],
    ["a refusal by the broker", "NOT_ALLOWED"],
    ["a schema that throws", "SCHEMA_SERIALIZATION"],
    ["a bad field", "INVALID_MESSAGE"],
  ])("gives all memory back after %s", async (_, code) => {
    const broker = new FakeBroker(100_000_000);
    broker.prepare = (connection) => {
      connection.maxMessageSizeBytes = 10_000;
    };
    for (let round = 0; round < 20; round++) {
      const producer = await broker.create({ sendTimeoutMs: 1000, maxPendingMessages: 3, blockIfQueueFull: true });
      const sends = [0, 1, 2, 3, 4].map((index) => {
        const value = code === "MESSAGE_TOO_BIG" ? "x".repeat(20_000) : `${index}`;
        if (code === "SCHEMA_SERIALIZATION") return send(producer, { value: 5 as unknown as string });
        if (code === "INVALID_MESSAGE") return send(producer, { value, eventTime: -1 });
        return send(producer, { value, deliverAfterMs: 1 });
      });
      if (code === "TIMEOUT") await broker.clock.advance(1001);
      if (code === "ALREADY_CLOSED") await producer.close({ drain: false });
      if (code === "TOPIC_TERMINATED") broker.connection.sendError(0, "TopicTerminatedError");
      if (code === "NOT_ALLOWED") for (let id = 0; id < 5; id++) broker.connection.sendError(id, "NotAllowedError");
      expect(await outcomes(sends)).toEqual([code, code, code, code, code]);
      expect([broker.memory.used, broker.memory.waiting]).toEqual([0, 0]);
      await producer.close();
    }
    expect(broker.clock.pendingTimers).toBe(0);
  });

  it("gives all memory back when a producer could not be created", async () => {
    const broker = new FakeBroker(1000);
    broker.prepare = (connection) => {
      connection.producerAnswer = brokerError("ProducerBusy");
    };
    expect(await outcome(broker.create())).toBe("PRODUCER_BUSY");
    expect(broker.memory.used).toBe(0);
  });
});
