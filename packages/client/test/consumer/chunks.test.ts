import { describe, expect, it } from "vitest";
import type { ChunksDiscarded } from "../../src/consumer/consumer.ts";
import { reactions } from "../util/manual-clock.ts";
import { FakeConsumerBroker, nth, takeAll, values } from "./consumer-fixture.ts";
import { chunk, single } from "./entries.ts";

const PARTS = ["ab", "cd", "e"];

describe("chunked messages", () => {
  // B65
  it("of two producers that interleave are put together, with one permit each", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ receiverQueueSize: 2 });
    const { connection } = broker;
    for (const id of [0, 1, 2]) {
      connection.deliver(chunk(2 * id, "u", id, PARTS), chunk(2 * id + 1, "v", id, ["1", "2", "3"]));
    }
    expect(connection.permits).toBe(0);
    const messages = await takeAll(consumer);
    expect(values(messages)).toEqual(["abcde", "123"]);
    expect(connection.permits).toBe(2);
    const { messageId } = nth(messages, 0);
    expect([messageId.entryId, messageId.firstChunkMessageId?.entryId]).toEqual([4n, 0n]);
    await consumer.acknowledge(messages);
    await broker.clock.advance(100);
    expect(connection.acked.sort()).toEqual(["1:0", "1:1", "1:2", "1:3", "1:4", "1:5"]);
    expect(broker.clock.pendingTimers).toBeLessThanOrEqual(1);
  });

  // B65
  it("that a producer sends again are taken once, and the first attempt is acknowledged", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const { connection } = broker;
    connection.deliver(chunk(0, "u", 0, PARTS), chunk(1, "u", 0, PARTS));
    connection.deliver(chunk(2, "u", 1, PARTS), chunk(3, "u", 1, PARTS), chunk(4, "u", 2, PARTS));
    const messages = await takeAll(consumer);
    expect(values(messages)).toEqual(["abcde"]);
    await consumer.acknowledge(messages);
    await broker.clock.advance(100);
    expect(connection.acked.sort()).toEqual(["1:0", "1:1", "1:2", "1:3", "1:4"]);
  });

  // B65
  it("that were incomplete when the connection was lost arrive once after it", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.deliver(chunk(0, "u", 0, PARTS), chunk(1, "u", 1, PARTS));
    broker.connection.close();
    const connection = await broker.reconnect();
    PARTS.forEach((_, id) => {
      connection.deliver(chunk(id, "u", id, PARTS));
    });
    expect(values(await takeAll(consumer))).toEqual(["abcde"]);
  });

  // B66
  it("that stay incomplete expire: memory is free, their chunks acknowledged, an event tells", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ expireTimeOfIncompleteChunkedMessageMs: 1000 });
    const events: ChunksDiscarded[] = [];
    consumer.on("chunksDiscarded", (event) => events.push(event));
    broker.connection.deliver(chunk(0, "u", 0, PARTS));
    await broker.clock.advance(500);
    broker.connection.deliver(chunk(1, "v", 0, PARTS));
    await broker.clock.advance(500);
    expect(events.map((event) => [event.reason, event.messageIds.length, event.isAcknowledged])).toEqual([
      ["expired", 1, true],
    ]);
    await broker.clock.advance(1000);
    expect(events).toHaveLength(2);
    await broker.clock.advance(100);
    expect(broker.connection.acked.sort()).toEqual(["1:0", "1:1"]);
    expect(broker.clock.pendingTimers).toBe(0);
  });

  // B66
  it.each([true, false])("beyond the limit push the oldest out, acknowledged only if asked: %s", async (auto) => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({
      maxPendingChunkedMessages: 2,
      autoAckOldestChunkedMessageOnQueueFull: auto,
    });
    const events: ChunksDiscarded[] = [];
    consumer.on("chunksDiscarded", (event) => events.push(event));
    for (let entry = 0; entry < 5; entry++) broker.connection.deliver(chunk(entry, `u${entry}`, 0, PARTS));
    await reactions();
    expect(events.map((event) => [event.reason, event.isAcknowledged])).toEqual(Array(3).fill(["evicted", auto]));
    await broker.clock.advance(100);
    expect(broker.connection.acked).toEqual(auto ? ["1:0", "1:1", "1:2"] : []);
  });

  it("acknowledge an orphan only when it is too old to be completed", async () => {
    const broker = new FakeConsumerBroker();
    await broker.subscribe();
    const old = { metadata: { publishTime: broker.clock.now() - 61_000 } };
    const young = { metadata: { publishTime: broker.clock.now() - 1000 } };
    broker.connection.deliver(chunk(0, "u", 1, PARTS, old), chunk(1, "v", 1, PARTS, young));
    await broker.clock.advance(100);
    expect(broker.connection.acked).toEqual(["1:0"]);
  });

  it("that contradict themselves are acknowledged and dropped", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ receiverQueueSize: 2 });
    const { connection } = broker;
    connection.deliver(chunk(0, "u", 0, PARTS), chunk(1, "u", 1, ["ab", "cdefghij", "k"]), single(2, "next"));
    expect(values(await takeAll(consumer))).toEqual(["next"]);
    await broker.clock.advance(100);
    expect(connection.acked.sort()).toEqual(["1:0", "1:1"]);
  });

  it("whose payload cannot be decompressed are refused with all their chunks", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ receiverQueueSize: 2 });
    const metadata = { metadata: { compression: 4, uncompressedSize: 100 } };
    PARTS.forEach((_, id) => {
      broker.connection.deliver(chunk(id, "u", id, PARTS, { metadata: { ...metadataOf(id), ...metadata.metadata } }));
    });
    await broker.clock.advance(100);
    expect(consumer.queuedMessages).toBe(0);
    expect(broker.connection.acked.sort()).toEqual(["!1:2", "1:0", "1:1"]);
    expect(broker.connection.permits).toBe(2);
  });
});

function metadataOf(chunkId: number): object {
  return { uuid: "u", chunkId, numChunksFromMsg: PARTS.length, totalChunkMsgSize: PARTS.join("").length };
}
