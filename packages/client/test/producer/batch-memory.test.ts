import { describe, expect, it } from "vitest";
import { BatchMemory } from "../../src/producer/batch-memory.ts";
import { FakeBroker, send } from "./producer-fixture.ts";

describe("the memory of batches", () => {
  it("is used again, newest first, where it is large enough", () => {
    const memory = new BatchMemory(200_000);
    expect(memory.take(20_000)).toBe(32_768);
    const first = Buffer.alloc(32_768);
    const second = Buffer.alloc(32_768);
    memory.giveBack(first);
    memory.giveBack(second);
    expect(memory.take(40_000)).toBe(49_152);
    expect(memory.take(20_000)).toBe(second);
    expect(memory.take(20_000)).toBe(first);
    expect(memory.freeBytes).toBe(0);
  });

  it("is bounded: the oldest goes first, and what is small or huge is not kept", () => {
    const memory = new BatchMemory(100_000);
    for (let count = 0; count < 10; count++) memory.giveBack(Buffer.alloc(32_768));
    expect(memory.freeBytes).toBe(98_304);
    memory.giveBack(Buffer.alloc(1000));
    memory.giveBack(Buffer.alloc(600_000));
    expect(memory.freeBytes).toBe(98_304);
    expect([memory.take(1000), memory.take(600_000)]).toEqual([1000, 600_000]);
  });
});

describe("a producer", () => {
  const value = "x".repeat(20_000);

  async function twoBatches(afterFirst: (broker: FakeBroker) => Promise<void>): Promise<readonly Uint8Array[]> {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingMaxMessages: 2 });
    // The first batch only teaches the container how large batches are.
    for (let batch = 0; batch < 3; batch++) {
      for (let count = 0; count < 2; count++) void send(producer, { value });
      if (batch === 0) broker.connection.receiptAll();
      if (batch === 1) await afterFirst(broker);
    }
    return broker.connections.flatMap((connection) => connection.originals);
  }

  it("uses the memory of a batch again after its receipt", async () => {
    const frames = await twoBatches(async (broker) => broker.connection.receipt(2));
    expect(frames[2]?.buffer).toBe(frames[1]?.buffer);
  });

  it("does not while the batch waits for the socket, whatever the broker says", async () => {
    const frames = await twoBatches(async (broker) => {
      broker.connection.queuedBytes = 1;
      broker.connection.receipt(2);
    });
    expect(frames[2]?.buffer).not.toBe(frames[1]?.buffer);
  });

  it("does not before the receipt", async () => {
    const frames = await twoBatches(async () => {});
    expect(frames[2]?.buffer).not.toBe(frames[1]?.buffer);
  });

  it("does not when the batch was written twice, as the second copy may not have left yet", async () => {
    const frames = await twoBatches(async (broker) => {
      broker.connection.close();
      (await broker.reconnect()).receipt(2);
    });
    expect(frames).toHaveLength(4);
    expect(frames[2]?.buffer).toBe(frames[1]?.buffer);
    expect(frames[3]?.buffer).not.toBe(frames[1]?.buffer);
  });

  it("does not when the batch has timed out, as it may still wait for the socket", async () => {
    const frames = await twoBatches(async (broker) => {
      await broker.clock.advance(30_000);
      broker.connection.receipt(2);
    });
    expect(frames[2]?.buffer).not.toBe(frames[1]?.buffer);
  });
});
