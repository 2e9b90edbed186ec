import { MessageId } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { NotConnectedError } from "../../src/errors.ts";
import { Deferred } from "../../src/util/deferred.ts";
import { reactions } from "../util/manual-clock.ts";
import { FakeConsumerBroker, nth, outcome, takeAll, values } from "./consumer-fixture.ts";
import { batch, chunk, single, texts } from "./entries.ts";

describe("individual acknowledgement", () => {
  it("is sent with others after the group time", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.deliver(single(0, "a"), single(1, "b"));
    for (const message of await takeAll(consumer)) await consumer.acknowledge(message);
    await broker.clock.advance(99);
    expect(broker.connection.acks).toEqual([]);
    await broker.clock.advance(1);
    expect(broker.connection.acks).toHaveLength(1);
    expect(broker.connection.acked).toEqual(["1:0", "1:1"]);
    expect(broker.clock.pendingTimers).toBe(0);
  });

  it("is sent when the group has its size", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ maxAcknowledgmentGroupSize: 2 });
    broker.connection.deliver(single(0, "a"), single(1, "b"), single(2, "c"));
    for (const message of await takeAll(consumer)) await consumer.acknowledge(message);
    expect(broker.connection.acked).toEqual(["1:0", "1:1"]);
  });

  it("is sent at once without a group time", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ acknowledgmentGroupTimeMs: 0 });
    broker.connection.deliver(single(0, "a"));
    await consumer.acknowledge(await consumer.receive());
    expect(broker.connection.acked).toEqual(["1:0"]);
  });

  it("of a whole batch is one id", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.deliver(batch(0, texts("a", 100)));
    await consumer.acknowledge(await takeAll(consumer));
    await broker.clock.advance(100);
    expect(broker.connection.acked).toEqual(["1:0"]);
  });

  // B51
  it("of a part of a batch names what is left, as in the facts: 0, 3 and 9 of 10 are 502", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.deliver(batch(0, texts("a", 10)));
    const messages = await takeAll(consumer);
    for (const index of [0, 3, 9]) await consumer.acknowledge(nth(messages, index));
    await broker.clock.advance(100);
    expect(broker.connection.acked).toEqual(["1:0[502]"]);
  });

  it("of a part of a batch is kept back without batch index acknowledgement, until the batch is complete", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ batchIndexAckEnabled: false });
    broker.connection.deliver(batch(0, texts("a", 3)));
    const messages = await takeAll(consumer);
    await consumer.acknowledge([nth(messages, 0), nth(messages, 1)]);
    await broker.clock.advance(1000);
    expect(broker.connection.acks).toEqual([]);
    await consumer.acknowledge(nth(messages, 2));
    await broker.clock.advance(100);
    expect(broker.connection.acked).toEqual(["1:0"]);
  });

  it("takes ids, also of messages that this consumer never saw", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    await consumer.acknowledge([
      MessageId.of({ ledgerId: 5, entryId: 6 }),
      MessageId.of({ ledgerId: 5, entryId: 7, batchIndex: 1, batchSize: 10 }),
      MessageId.of({ ledgerId: 5, entryId: 8, batchIndex: 0, batchSize: 1 }),
    ]);
    await broker.clock.advance(100);
    // 1021: index 1 of 10.
    expect(broker.connection.acked.sort()).toEqual(["5:6", "5:7[1021]", "5:8"]);
  });

  it("adds an id up with the messages of the same batch", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.deliver(batch(0, texts("a", 2)));
    const [first, second] = await takeAll(consumer);
    await consumer.acknowledge(nth([first], 0)?.messageId ?? MessageId.latest);
    if (second !== undefined) await consumer.acknowledge(second);
    await broker.clock.advance(100);
    expect(broker.connection.acked).toEqual(["1:0"]);
  });

  it("rejects an id that does not say how large its batch is, and anything that is no message", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const id = MessageId.of({ ledgerId: 5, entryId: 7, batchIndex: 1 });
    await expect(consumer.acknowledge(id)).rejects.toMatchObject({ code: "INVALID_MESSAGE" });
    await expect(consumer.acknowledge("1:2" as unknown as MessageId)).rejects.toMatchObject({
      code: "INVALID_MESSAGE",
    });
    await expect(consumer.acknowledge(undefined as unknown as MessageId)).rejects.toMatchObject({
      code: "INVALID_MESSAGE",
    });
  });

  it("drops redelivered duplicates until it is sent, with their permits, and lets them pass afterwards", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ receiverQueueSize: 2 });
    broker.connection.deliver(single(0, "a"));
    await consumer.acknowledge(await consumer.receive());
    broker.connection.deliver(single(0, "a"));
    expect(consumer.queuedMessages).toBe(0);
    expect(broker.connection.permits).toBe(2);
    await broker.clock.advance(100);
    broker.connection.deliver(single(0, "a"));
    expect(consumer.queuedMessages).toBe(1);
  });

  it("names every chunk of a chunked message, by the message or by its id", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const parts = ["ab", "cd", "e"];
    for (const uuid of ["u", "v"]) {
      const from = uuid === "u" ? 0 : 10;
      broker.connection.deliver(...parts.map((_, id) => chunk(from + id, uuid, id, parts)));
    }
    const messages = await takeAll(consumer);
    expect(values(messages)).toEqual(["abcde", "abcde"]);
    await consumer.acknowledge(nth(messages, 0));
    await consumer.acknowledge(nth(messages, 1).messageId);
    await broker.clock.advance(100);
    expect(broker.connection.acked).toEqual(["1:0", "1:1", "1:2", "1:10", "1:11", "1:12"]);
  });
});

describe("cumulative acknowledgement", () => {
  it("sends the furthest id only", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.deliver(single(0, "a"), single(1, "b"), single(2, "c"));
    const messages = await takeAll(consumer);
    for (const index of [0, 2, 1]) await consumer.acknowledgeCumulative(nth(messages, index));
    await broker.clock.advance(100);
    expect(broker.connection.acked).toEqual(["<=1:2"]);
  });

  // B50
  it("inside a batch names what is left: up to index 5 of 10 is 960", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.deliver(batch(4, texts("a", 10)));
    await consumer.acknowledgeCumulative(nth(await takeAll(consumer), 5));
    await broker.clock.advance(100);
    expect(broker.connection.acked).toEqual(["<=1:4[960]"]);
  });

  // B50
  it("inside a batch acknowledges the entry before without batch index acknowledgement", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ batchIndexAckEnabled: false });
    broker.connection.deliver(batch(0, texts("a", 10)));
    const messages = await takeAll(consumer);
    await consumer.acknowledgeCumulative(nth(messages, 4));
    await broker.clock.advance(100);
    await consumer.acknowledgeCumulative(nth(messages, 9));
    await broker.clock.advance(100);
    expect(broker.connection.acked).toEqual(["<=1:-1", "<=1:0"]);
  });

  it("completes a batch of which the rest was acknowledged one by one", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.deliver(batch(0, texts("a", 3)));
    const messages = await takeAll(consumer);
    await consumer.acknowledge(nth(messages, 2));
    await consumer.acknowledgeCumulative(nth(messages, 1));
    await broker.clock.advance(100);
    expect(broker.connection.acked).toContain("<=1:0");
  });

  it.each(["Shared", "Key_Shared"] as const)("is refused on %s", async (subscriptionType) => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ subscriptionType });
    broker.connection.deliver(single(0, "a"));
    const refused = consumer.acknowledgeCumulative(await consumer.receive());
    await expect(refused).rejects.toMatchObject({ code: "NOT_ALLOWED" });
    expect(broker.clock.pendingTimers).toBe(0);
  });
});

describe("acknowledgements and the connection", () => {
  // B53
  it("are kept over a reconnect and sent before the first FLOW, their duplicates dropped meanwhile", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.deliver(batch(0, texts("a", 4)), single(1, "b"), single(2, "c"));
    const messages = await takeAll(consumer);
    await consumer.acknowledge(nth(messages, 0));
    await consumer.acknowledge(nth(messages, 4));
    broker.connection.close();
    await consumer.acknowledge(nth(messages, 5));
    const connection = await broker.reconnect();
    expect(connection.log).toEqual(["SUBSCRIBE", "ACK", "FLOW"]);
    expect(connection.acked.sort()).toEqual(["1:0[14]", "1:1", "1:2"]);
  });

  // B53
  it("let a message pass that comes again after the ACK was lost with its connection", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.deliver(single(0, "a"), batch(1, texts("b", 2)));
    const messages = await takeAll(consumer);
    await consumer.acknowledge(nth(messages, 1));
    await consumer.acknowledgeCumulative(nth(messages, 0));
    await broker.clock.advance(100);
    broker.connection.close();
    const connection = await broker.reconnect();
    connection.deliver(single(0, "a"), batch(1, texts("b", 2)));
    expect(values(await takeAll(consumer))).toEqual(["a", "b0", "b1"]);
  });

  // B54
  it("are flushed by close(), and what was only fetched ahead is not acknowledged", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const { connection } = broker;
    for (let entry = 0; entry < 100; entry++) connection.deliver(single(entry, "m"));
    for (let count = 0; count < 5; count++) await consumer.acknowledge(await consumer.receive());
    await consumer.close();
    expect(connection.acked).toEqual(["1:0", "1:1", "1:2", "1:3", "1:4"]);
    expect(connection.log.slice(-2)).toEqual(["ACK", "CLOSE_CONSUMER"]);
    expect(broker.clock.pendingTimers).toBe(0);
  });

  it("reject after the close", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.deliver(single(0, "a"));
    const message = await consumer.receive();
    await consumer.close();
    await expect(consumer.acknowledge(message)).rejects.toMatchObject({ code: "ALREADY_CLOSED" });
    await expect(consumer.acknowledgeCumulative(message)).rejects.toMatchObject({ code: "ALREADY_CLOSED" });
  });
});

describe("acknowledgement receipts", () => {
  it("settle when the broker has answered, with its error if it has one", async () => {
    const broker = new FakeConsumerBroker();
    const answers: Deferred<object>[] = [];
    broker.prepare = (connection) => {
      connection.answers.set("ACK", () => {
        const answer = new Deferred<object>();
        answers.push(answer);
        return answer.promise;
      });
    };
    const consumer = await broker.subscribe({ ackReceiptEnabled: true });
    broker.connection.deliver(single(0, "a"), single(1, "b"));
    const [first, second] = await takeAll(consumer);
    if (first === undefined || second === undefined) throw new Error("nothing received");
    const acknowledged = consumer.acknowledge(first);
    await broker.clock.advance(100);
    expect(await outcome(acknowledged)).toBe("pending");
    answers[0]?.resolve({});
    expect(await outcome(acknowledged)).toBe("resolved");
    const failing = consumer.acknowledge(second);
    await broker.clock.advance(100);
    answers[1]?.reject(Object.assign(new Error("no"), { code: "X" }));
    expect(await outcome(failing)).toBe("X");
  });

  it("are asked for again after a reconnect when none came", async () => {
    const broker = new FakeConsumerBroker();
    let isAnswering = false;
    broker.prepare = (connection) => {
      connection.answers.set("ACK", () => (isAnswering ? {} : new Promise(() => {})));
    };
    const consumer = await broker.subscribe({ ackReceiptEnabled: true });
    broker.connection.deliver(batch(0, texts("a", 2)), single(1, "b"));
    const messages = await takeAll(consumer);
    const acknowledged = consumer.acknowledge([nth(messages, 0), nth(messages, 2)]);
    await broker.clock.advance(100);
    isAnswering = true;
    broker.connection.close(new NotConnectedError("reset"));
    expect(await outcome(acknowledged)).toBe("pending");
    const connection = await broker.reconnect();
    await reactions();
    expect(connection.acked.sort()).toEqual(["1:0[2]", "1:1"]);
    expect(await outcome(acknowledged)).toBe("resolved");
  });

  it("are waited for by close()", async () => {
    const broker = new FakeConsumerBroker();
    const answer = new Deferred<object>();
    broker.prepare = (connection) => connection.answers.set("ACK", () => answer.promise);
    const consumer = await broker.subscribe({ ackReceiptEnabled: true });
    broker.connection.deliver(single(0, "a"));
    const acknowledged = consumer.acknowledge(await consumer.receive());
    const closed = consumer.close();
    expect(await outcome(closed)).toBe("pending");
    answer.resolve({});
    expect(await outcome(closed)).toBe("resolved");
    expect(await outcome(acknowledged)).toBe("resolved");
  });

  it("reject with AlreadyClosedError when the consumer closes without a connection", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ ackReceiptEnabled: true });
    broker.connection.deliver(single(0, "a"));
    const acknowledged = consumer.acknowledge(await consumer.receive());
    broker.connection.close();
    await consumer.close();
    await expect(acknowledged).rejects.toMatchObject({ code: "ALREADY_CLOSED" });
  });

  it("are asked for again when the broker closes the consumer, since it never answers for one that it does not know", async () => {
    const broker = new FakeConsumerBroker();
    let isAnswering = false;
    broker.prepare = (connection) => {
      connection.answers.set("ACK", () => (isAnswering ? {} : new Promise(() => {})));
    };
    const consumer = await broker.subscribe({ ackReceiptEnabled: true });
    broker.connection.deliver(single(0, "a"));
    const acknowledged = consumer.acknowledge(await consumer.receive());
    await broker.clock.advance(100);
    isAnswering = true;
    broker.connection.closeConsumer();
    const connection = await broker.reconnect();
    expect(connection.acked).toEqual(["1:0"]);
    expect(await outcome(acknowledged)).toBe("resolved");
  });

  it("do not hold up close() when the broker has closed the consumer meanwhile", async () => {
    const broker = new FakeConsumerBroker();
    broker.prepare = (connection) => connection.answers.set("ACK", () => new Promise(() => {}));
    const consumer = await broker.subscribe({ ackReceiptEnabled: true });
    broker.connection.deliver(single(0, "a"));
    const acknowledged = consumer.acknowledge(await consumer.receive());
    const closed = consumer.close();
    await reactions();
    broker.connection.closeConsumer();
    expect(await outcome(closed)).toBe("resolved");
    expect(await outcome(acknowledged)).toBe("NOT_CONNECTED");
  });

  it("are not asked for again after a seek: that would move the subscription once more", async () => {
    const broker = new FakeConsumerBroker();
    broker.prepare = (connection) => connection.answers.set("ACK", () => new Promise(() => {}));
    const consumer = await broker.subscribe({ ackReceiptEnabled: true });
    broker.connection.deliver(single(0, "a"), single(1, "b"));
    const acknowledged = consumer.acknowledgeCumulative(nth(await takeAll(consumer), 1));
    await broker.clock.advance(100);
    await consumer.seek(MessageId.earliest);
    broker.connection.close();
    const connection = await broker.reconnect();
    expect(connection.acked).toEqual([]);
    expect(await outcome(acknowledged)).toBe("NOT_CONNECTED");
  });

  it("settle for a part of a batch whose other parts were given up by a seek", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ ackReceiptEnabled: true });
    const answer = new Deferred<object>();
    broker.connection.answers.set("SEEK", () => answer.promise);
    broker.connection.deliver(batch(0, texts("a", 3)));
    const messages = await takeAll(consumer);
    const sought = consumer.seek(MessageId.latest);
    await reactions();
    const given = consumer.acknowledge(nth(messages, 0));
    answer.resolve({});
    await sought;
    expect(await outcome(given)).toBe("ALREADY_CLOSED");
    const acknowledged = consumer.acknowledge(nth(messages, 1));
    await broker.clock.advance(100);
    expect(await outcome(acknowledged)).toBe("resolved");
    expect(broker.connection.acked).toEqual(["1:0[4]"]);
  });

  it("that fail leave nothing behind that holds a batch back when it comes again", async () => {
    const broker = new FakeConsumerBroker();
    let answer = (): unknown => new Promise(() => {});
    broker.prepare = (connection) => connection.answers.set("ACK", () => answer());
    const consumer = await broker.subscribe({ ackReceiptEnabled: true });
    broker.connection.deliver(batch(0, texts("a", 2)), single(1, "b"));
    const messages = await takeAll(consumer);
    const sent = consumer.acknowledge(nth(messages, 2));
    await broker.clock.advance(100);
    const collected = consumer.acknowledge(messages.slice(0, 2));
    broker.connection.close();
    answer = () => Promise.reject(Object.assign(new Error("no"), { code: "X" }));
    const connection = await broker.reconnect();
    expect(await outcome(sent)).toBe("X");
    expect(await outcome(collected)).toBe("X");
    connection.deliver(batch(0, texts("a", 2)));
    expect(values(await takeAll(consumer))).toEqual(["a0", "a1"]);
  });
});
