import { describe, expect, it } from "vitest";
import { FakeBroker, outcome, outcomes, send } from "./producer-fixture.ts";

// B29
describe("flush", () => {
  it("publishes the open batch at once and waits for its receipt", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingMaxPublishDelayMs: 2000 });
    const sends = ["a", "b"].map((value) => send(producer, { value }));
    const flushed = producer.flush();
    expect(broker.connection.texts()).toEqual(["a", "b"]);
    expect(await outcome(flushed)).toBe("pending");
    broker.connection.receiptAll();
    await flushed;
    expect(await outcomes(sends)).toEqual(["sent", "sent"]);
  });

  it("waits for earlier sends only", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingEnabled: false });
    const before = send(producer, { value: "a" });
    const flushed = producer.flush();
    const after = send(producer, { value: "b" });
    broker.connection.receipt(0);
    await flushed;
    expect(await outcomes([before, after])).toEqual(["sent", "pending"]);
  });

  it("waits for what was sent while disconnected", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    const before = send(producer, { value: "a" });
    broker.connection.close();
    const during = send(producer, { value: "b" });
    const flushed = producer.flush();
    const second = await broker.reconnect();
    expect(await outcome(flushed)).toBe("pending");
    second.receiptAll();
    await flushed;
    expect(await outcomes([before, during])).toEqual(["sent", "sent"]);
  });

  it("waits for what waits for room", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ maxPendingMessages: 1, blockIfQueueFull: true, batchingEnabled: false });
    const sends = ["a", "b", "c"].map((value) => send(producer, { value }));
    const flushed = producer.flush();
    broker.connection.receipt(0);
    broker.connection.receipt(1);
    expect(await outcome(flushed)).toBe("pending");
    broker.connection.receipt(2);
    await flushed;
    expect(await outcomes(sends)).toEqual(["sent", "sent", "sent"]);
  });

  it.each([
    ["of places", { maxPendingMessages: 2 }, 0],
    ["of memory", {}, 600],
  ])("publishes batches that others wait behind for want %s, without their publish delay", async (_, bound, memory) => {
    const broker = new FakeBroker(memory);
    const options = { blockIfQueueFull: true, batchingMaxPublishDelayMs: 10_000, sendTimeoutMs: 0, ...bound };
    const producer = await broker.create(options);
    const sends = ["a", "b", "c", "d", "e"].map((value) => send(producer, { value }));
    expect(broker.connection.texts()).toEqual([]);
    const flushed = producer.flush();
    const written: string[][] = [];
    for (let round = 0; round < 3; round++) {
      const entry = broker.connection.sends().at(-1);
      written.push(entry?.messages.map(({ text }) => text) ?? []);
      broker.connection.receipt(entry?.sequenceId ?? -1);
      expect(await outcome(flushed)).toBe(round < 2 ? "pending" : "resolved");
    }
    expect(written).toEqual([["a", "b"], ["c", "d"], ["e"]]);
    expect(await outcomes(sends)).toEqual(["sent", "sent", "sent", "sent", "sent"]);
  });

  it("resolves at once when nothing is pending", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    await producer.flush();
  });

  it("resolves when earlier sends fail, which is for them to tell", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ sendTimeoutMs: 100 });
    const sent = send(producer, { value: "a" });
    const flushed = producer.flush();
    await broker.clock.advance(100);
    await flushed;
    expect(await outcome(sent)).toBe("TIMEOUT");
  });

  it("gives up waiting when its signal is aborted, and nothing else changes", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    const sent = send(producer, { value: "a" });
    const abort = new AbortController();
    const flushed = producer.flush({ signal: abort.signal });
    const reason = new Error("enough");
    abort.abort(reason);
    expect(await outcome(flushed)).toBe(reason);
    broker.connection.receiptAll();
    expect(await outcomes([sent])).toEqual(["sent"]);
  });
});
