import { describe, expect, it } from "vitest";
import { ConnectError } from "../../src/errors.ts";
import { FakeBroker, outcome, outcomes, send } from "./producer-fixture.ts";

describe("the send timeout", () => {
  it("rejects a message that gets no receipt, and ignores the receipt that comes later", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ sendTimeoutMs: 2000, batchingEnabled: false });
    const first = send(producer, { value: "a" });
    await broker.clock.advance(1000);
    const second = send(producer, { value: "b" });
    await broker.clock.advance(999);
    expect(await outcomes([first, second])).toEqual(["pending", "pending"]);
    await broker.clock.advance(1);
    expect(await outcomes([first, second])).toEqual(["TIMEOUT", "pending"]);
    broker.connection.receipt(0);
    expect(producer.state).toBe("ready");
    broker.connection.receipt(1);
    expect(await outcomes([first, second])).toEqual(["TIMEOUT", "sent"]);
  });

  // B11
  it("runs while disconnected, in order, and leaves the queue empty", async () => {
    const broker = new FakeBroker(10_000_000);
    const producer = await broker.create({ sendTimeoutMs: 2000 });
    broker.isDown = new ConnectError("refused");
    broker.connection.close();
    const order: number[] = [];
    const sends: Promise<unknown>[] = [];
    for (let index = 0; index < 5; index++) {
      const sent = send(producer, { value: `${index}` });
      sent.catch(() => order.push(index));
      sends.push(sent);
      await broker.clock.advance(300);
    }
    await broker.clock.advance(500);
    expect(await outcomes(sends)).toEqual(["TIMEOUT", "pending", "pending", "pending", "pending"]);
    await broker.clock.advance(1200);
    expect(await outcomes(sends)).toEqual(["TIMEOUT", "TIMEOUT", "TIMEOUT", "TIMEOUT", "TIMEOUT"]);
    expect(order).toEqual([0, 1, 2, 3, 4]);
    expect(producer.stats).toMatchObject({ pendingMessages: 0, pendingBytes: 0, messagesFailed: 5 });
    expect(broker.memory.used).toBe(0);
  });

  // B10
  it("does not keep the producer from recovering", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ sendTimeoutMs: 1000 });
    for (let round = 0; round < 5; round++) {
      broker.isDown = new ConnectError("refused");
      broker.connection.close();
      const lost = send(producer, { value: "lost" });
      await broker.clock.advance(40_000);
      expect(await outcome(lost)).toBe("TIMEOUT");
      broker.isDown = undefined;
      await broker.clock.advance(60_000);
      expect(producer.state).toBe("ready");
      const sent = send(producer, { value: "after" });
      await broker.clock.advance(1);
      expect(broker.connection.texts()).toEqual(["after"]);
      broker.connection.receiptAll();
      expect(await outcome(sent)).toMatchObject({ entryId: 0n });
    }
  });

  it("counts the time that a message waits for room", async () => {
    const broker = new FakeBroker();
    const options = { sendTimeoutMs: 2000, maxPendingMessages: 1, blockIfQueueFull: true, batchingEnabled: false };
    const producer = await broker.create(options);
    const first = send(producer, { value: "a" });
    await broker.clock.advance(500);
    const second = send(producer, { value: "b" });
    await broker.clock.advance(500);
    broker.connection.receipt(0);
    await broker.clock.advance(1499);
    expect(await outcomes([first, second])).toEqual(["sent", "pending"]);
    await broker.clock.advance(1);
    expect(await outcomes([first, second])).toEqual(["sent", "TIMEOUT"]);
  });

  it("writes nothing that waited for room too long", async () => {
    const broker = new FakeBroker();
    const options = { sendTimeoutMs: 2000, maxPendingMessages: 1, blockIfQueueFull: true, batchingEnabled: false };
    const producer = await broker.create(options);
    const sends = ["a", "b", "c"].map((value) => send(producer, { value }));
    await broker.clock.advance(2000);
    expect(await outcomes(sends)).toEqual(["TIMEOUT", "TIMEOUT", "TIMEOUT"]);
    expect(broker.connection.texts()).toEqual(["a"]);
    expect(producer.stats).toMatchObject({ pendingMessages: 0, waitingMessages: 0 });
  });

  it("rejects a message that waits for the memory of another producer", async () => {
    const broker = new FakeBroker(1000);
    const other = await broker.create({ sendTimeoutMs: 0 });
    const producer = await broker.create({ sendTimeoutMs: 2000, blockIfQueueFull: true });
    const taken = send(other, { value: "x".repeat(700) });
    const waiting = send(producer, { value: "y".repeat(700) });
    await broker.clock.advance(2000);
    expect(await outcomes([taken, waiting])).toEqual(["pending", "TIMEOUT"]);
    expect(broker.memory.waiting).toBe(0);
  });

  it("is off when 0", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ sendTimeoutMs: 0 });
    const sent = send(producer, { value: "a" });
    await broker.clock.advance(10 * 60_000);
    expect(await outcome(sent)).toBe("pending");
  });

  it("needs one timer however many messages wait", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingEnabled: false });
    for (let index = 0; index < 1000; index++) void send(producer, { value: "x" });
    expect(broker.clock.pendingTimers).toBe(1);
  });
});
