import { MessageId } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { TimeoutError } from "../../src/errors.ts";
import { Deferred } from "../../src/util/deferred.ts";
import { reactions } from "../util/manual-clock.ts";
import { FakeConsumerBroker, nth, outcome, takeAll, values } from "./consumer-fixture.ts";
import { batch, chunk, single, texts } from "./entries.ts";
import type { FakeConsumerConnection } from "./fake-consumer-connection.ts";

/** Lets each SEEK wait for the test; returns the answers. */
function holdSeeks(connection: FakeConsumerConnection): Deferred<object>[] {
  const answers: Deferred<object>[] = [];
  connection.answers.set("SEEK", () => {
    const answer = new Deferred<object>();
    answers.push(answer);
    return answer.promise;
  });
  return answers;
}

describe("seek", () => {
  // B61
  it("is done when the answer is there and the consumer is attached again", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const { connection } = broker;
    const answers = holdSeeks(connection);
    connection.deliver(single(5, "old"));
    const sought = consumer.seek(MessageId.earliest);
    await reactions();
    const attaching = new Deferred<object>();
    broker.prepare = (next) => next.answers.set("SUBSCRIBE", () => attaching.promise);
    connection.closeConsumer();
    answers[0]?.resolve({});
    expect(await outcome(sought)).toBe("pending");
    attaching.resolve({});
    expect(await outcome(sought)).toBe("resolved");
    // Attached again without back-off.
    expect(broker.connections).toHaveLength(2);
    expect(consumer.queuedMessages).toBe(0);
    expect(connection.log).toEqual(["SUBSCRIBE", "FLOW", "SEEK"]);
    broker.connection.deliver(single(0, "first"));
    expect((await consumer.receive()).value).toBe("first");
  });

  // B61
  it("is done too when the answer comes long after the consumer is attached again", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const { connection } = broker;
    const answers = holdSeeks(connection);
    const sought = consumer.seek({ timestamp: 5 });
    await reactions();
    connection.closeConsumer();
    await reactions();
    expect(consumer.state).toBe("ready");
    broker.connection.deliver(single(0, "new", { metadata: { publishTime: 7 } }));
    answers[0]?.resolve({});
    await sought;
    expect(values(await takeAll(consumer))).toEqual(["new"]);
  });

  it("drops what is queued of the old place when the broker does not close the consumer", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ receiverQueueSize: 4 });
    const { connection } = broker;
    connection.deliver(single(5, "old"), single(6, "old"));
    await consumer.seek(MessageId.earliest);
    expect(consumer.queuedMessages).toBe(0);
    expect(connection.permits).toBe(4);
  });

  it("loses nothing when the broker refuses it", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const { connection } = broker;
    connection.answers.set("SEEK", () => Promise.reject(new TimeoutError("no")));
    connection.deliver(single(5, "a"));
    await expect(consumer.seek(MessageId.earliest)).rejects.toMatchObject({ code: "TIMEOUT" });
    expect(values(await takeAll(consumer))).toEqual(["a"]);
  });

  // B62
  it("inside a batch asks for the wanted indexes and leaves out the target unless it is inclusive", async () => {
    const target = MessageId.of({ ledgerId: 1, entryId: 0, batchIndex: 50, batchSize: 100 });
    for (const startMessageIdInclusive of [false, true]) {
      const broker = new FakeConsumerBroker();
      const consumer = await broker.subscribe({ startMessageIdInclusive, receiverQueueSize: 100 });
      await consumer.seek(target);
      const { body } = nth(broker.connection.requests, -1);
      const ackSet = (body as { messageId: { ackSet: (number | bigint)[] } }).messageId.ackSet;
      expect(ackSet.map((word) => BigInt.asUintN(64, BigInt(word)).toString(2).replaceAll("0", "").length)).toEqual([
        14, 36,
      ]);
      broker.connection.deliver(batch(0, texts("m", 100), { ackSet, charged: 50 }));
      const first = startMessageIdInclusive ? "m50" : "m51";
      expect((await takeAll(consumer))[0]?.value).toBe(first);
    }
  });

  // B62
  it("filters by itself where a broker sends the whole batch, and acknowledges what it leaves out", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ receiverQueueSize: 10 });
    await consumer.seek(MessageId.of({ ledgerId: 1, entryId: 0, batchIndex: 4, batchSize: 6 }));
    broker.connection.deliver(batch(0, texts("m", 6)));
    expect(values(await takeAll(consumer))).toEqual(["m5"]);
    await broker.clock.advance(100);
    expect(broker.connection.acked).toEqual(["1:0[32]"]);
    // One more has come back and waits for half the queue.
    expect(broker.connection.permits).toBe(9);
  });

  it("to a message leaves that message out, or not if inclusive", async () => {
    for (const startMessageIdInclusive of [false, true]) {
      const broker = new FakeConsumerBroker();
      const consumer = await broker.subscribe({ startMessageIdInclusive });
      await consumer.seek(MessageId.of({ ledgerId: 1, entryId: 3 }));
      broker.connection.deliver(single(3, "target"), single(4, "next"));
      expect((await consumer.receive()).value).toBe(startMessageIdInclusive ? "target" : "next");
    }
  });

  it("to a chunked message goes to its first chunk", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const id = MessageId.of({ ledgerId: 1, entryId: 7, firstChunkMessageId: { ledgerId: 1, entryId: 4 } });
    await consumer.seek(id);
    expect(nth(broker.connection.requests, -1).body).toMatchObject({ messageId: { ledgerId: 1, entryId: 4 } });
  });

  it("is asked for again when the connection is lost before the answer", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    holdSeeks(broker.connection);
    const sought = consumer.seek(MessageId.earliest);
    await reactions();
    broker.connection.close();
    await broker.reconnect();
    expect(await outcome(sought)).toBe("resolved");
    expect(broker.connection.log).toContain("SEEK");
  });

  it("gives up after the operation timeout, also while disconnected", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.isDown = new TimeoutError("nobody there");
    broker.connection.close();
    const sought = consumer.seek(MessageId.earliest);
    sought.catch(() => {});
    await broker.clock.advance(30_000);
    expect(await outcome(sought)).toBe("TIMEOUT");
    await consumer.close();
    expect(broker.clock.pendingTimers).toBe(0);
  });

  it("waits for the seek before it", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const answers = holdSeeks(broker.connection);
    const first = consumer.seek(MessageId.earliest);
    const second = consumer.seek(MessageId.latest);
    await reactions();
    expect(answers).toHaveLength(1);
    answers[0]?.resolve({});
    await first;
    await reactions();
    expect(answers).toHaveLength(2);
    answers[1]?.resolve({});
    await second;
  });

  it("forgets acknowledgements that it has sent, so that what was acknowledged can come again", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ acknowledgmentGroupTimeMs: 60_000 });
    const { connection } = broker;
    connection.deliver(single(0, "a"), batch(1, ["b", "c"]));
    const messages = await takeAll(consumer);
    await consumer.acknowledge(nth(messages, 0));
    await consumer.acknowledge(nth(messages, 1));
    await consumer.seek(MessageId.earliest);
    expect(connection.log.indexOf("ACK")).toBeLessThan(connection.log.indexOf("SEEK"));
    connection.deliver(single(0, "a"), batch(1, ["b", "c"]));
    expect(values(await takeAll(consumer))).toEqual(["a", "b", "c"]);
  });

  it("refuses a target that is none", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    for (const target of [undefined, {}, { timestamp: -1 }, { timestamp: "5" }, "earliest"]) {
      const sought = consumer.seek(target as unknown as MessageId);
      await expect(sought).rejects.toMatchObject({ code: "INVALID_CONFIGURATION" });
    }
  });

  it("stops filtering once its start was reached and the connection was lost: an administrator may move back", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    await consumer.seek(MessageId.of({ ledgerId: 1, entryId: 3 }));
    broker.connection.deliver(single(3, "target"), single(4, "next"));
    await takeAll(consumer);
    broker.connection.closeConsumer();
    await broker.reconnect();
    broker.connection.deliver(single(0, "zero"), single(3, "target"));
    expect(values(await takeAll(consumer))).toEqual(["zero", "target"]);
  });

  it("to a time leaves it to the broker where that is: a producer with a slow clock loses nothing", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    await consumer.seek({ timestamp: 1000 });
    broker.connection.deliver(single(0, "slow", { metadata: { publishTime: 990 } }));
    broker.connection.deliver(single(1, "exact", { metadata: { publishTime: 1000 } }));
    expect(values(await takeAll(consumer))).toEqual(["slow", "exact"]);
    await broker.clock.advance(100);
    expect(broker.connection.acked).toEqual([]);
  });

  it("loses nothing when the broker has closed the consumer and then refuses it", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const { connection } = broker;
    const answers = holdSeeks(connection);
    const sought = consumer.seek(MessageId.of({ ledgerId: 1, entryId: 5 }));
    await reactions();
    connection.closeConsumer();
    await reactions();
    answers[0]?.reject(new TimeoutError("no"));
    await expect(sought).rejects.toMatchObject({ code: "TIMEOUT" });
    broker.connection.deliver(single(4, "a"), single(5, "b"));
    expect(values(await takeAll(consumer))).toEqual(["a", "b"]);
    await broker.clock.advance(100);
    expect(broker.connection.acked).toEqual([]);
  });

  it("stops filtering when another consumer moves the subscription back before the start was reached", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ subscriptionType: "Shared" });
    await consumer.seek(MessageId.of({ ledgerId: 1, entryId: 5 }));
    broker.connection.closeConsumer();
    await broker.reconnect();
    broker.connection.deliver(single(4, "a"), single(5, "b"));
    expect(values(await takeAll(consumer))).toEqual(["a", "b"]);
    await broker.clock.advance(100);
    expect(broker.connection.acked).toEqual([]);
  });

  it("past a chunked message acknowledges all its chunks", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const parts = ["x", "y", "z"];
    await consumer.seek(MessageId.of({ ledgerId: 1, entryId: 2, firstChunkMessageId: { ledgerId: 1, entryId: 0 } }));
    broker.connection.deliver(...parts.map((_, id) => chunk(id, "u", id, parts)), single(3, "next"));
    expect(values(await takeAll(consumer))).toEqual(["next"]);
    await broker.clock.advance(100);
    expect(broker.connection.acked).toEqual(["1:0", "1:1", "1:2"]);
  });

  it("and a question for the last message are given up by close()", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const { connection } = broker;
    for (const type of ["SEEK", "GET_LAST_MESSAGE_ID"] as const) {
      connection.answers.set(type, () => new Promise(() => {}));
    }
    const asked = [consumer.seek(MessageId.earliest), consumer.getLastMessageId()];
    await reactions();
    expect(connection.log).toContain("SEEK");
    expect(connection.log).toContain("GET_LAST_MESSAGE_ID");
    await consumer.close();
    for (const promise of asked) expect(await outcome(promise)).toBe("ALREADY_CLOSED");
  });
});
