import { describe, expect, it } from "vitest";
import { NotConnectedError } from "../../src/errors.ts";
import { brokerError } from "./fake-connection.ts";
import { FakeBroker, outcome, outcomes, send } from "./producer-fixture.ts";

describe("a producer that loses its connection", () => {
  it("re-sends unacknowledged messages in order, with the same bytes, before new ones", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingEnabled: false });
    const sends = ["a", "b", "c"].map((value) => send(producer, { value }));
    const first = broker.connection;
    first.receipt(0);
    first.close();
    sends.push(send(producer, { value: "d" }));
    expect(producer.state).toBe("reconnecting");
    const second = await broker.reconnect();
    sends.push(send(producer, { value: "e" }));
    expect(second.texts()).toEqual(["b", "c", "d", "e"]);
    expect(second.sends().map((send) => send.sequenceId)).toEqual([1, 2, 3, 4]);
    expect(second.frames[0]).toEqual(first.frames[1]);
    second.receiptAll();
    expect(await outcomes(sends)).toEqual(["sent", "sent", "sent", "sent", "sent"]);
  });

  it("re-sends after the broker closes the producer, since it drops what comes later without a word", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingEnabled: false });
    const sent = send(producer, { value: "a" });
    broker.connection.closeProducer();
    const later = send(producer, { value: "b" });
    const second = await broker.reconnect();
    expect(second.texts()).toEqual(["a", "b"]);
    second.receiptAll();
    expect(await outcomes([sent, later])).toEqual(["sent", "sent"]);
  });

  it("waits longer each time that receipts come in the wrong order", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingEnabled: false });
    void send(producer, { value: "a" });
    for (const delayMs of [100, 200, 400]) {
      const { length } = broker.connections;
      broker.connection.receipt(5);
      expect(producer.state).toBe("reconnecting");
      await broker.clock.advance(delayMs - 1);
      expect(broker.connections).toHaveLength(length);
      await broker.clock.advance(1);
      expect(broker.connections).toHaveLength(length + 1);
    }
  });

  it("follows the broker's hint at once", async () => {
    const broker = new FakeBroker();
    await broker.create();
    const hint = { brokerServiceUrl: "pulsar://other:6650" };
    broker.connection.closeProducer(hint);
    await broker.clock.advance(0);
    expect(broker.hints).toEqual([undefined, hint]);
  });

  it("goes where a migrated topic lives when the broker closes the producer", async () => {
    const broker = new FakeBroker();
    await broker.create();
    const urls = { brokerServiceUrl: "pulsar://green:6650" };
    broker.connection.migrate(urls);
    broker.connection.closeProducer();
    await broker.clock.advance(0);
    expect(broker.hints).toEqual([undefined, urls]);
  });

  it("tells the broker its name, a higher epoch and that the name was the broker's", async () => {
    const broker = new FakeBroker();
    await broker.create({ properties: { team: "a" } });
    const [first] = broker.connection.producerRequests;
    broker.connection.close();
    const [second] = (await broker.reconnect()).producerRequests;
    expect(first).toMatchObject({ producerName: undefined, epoch: 0, userProvidedProducerName: false });
    expect(first?.metadata).toEqual([{ key: "team", value: "a" }]);
    expect(second).toMatchObject({ producerName: "standalone-0-1", epoch: 1, userProvidedProducerName: false });
  });

  it("keeps its sequence ids whatever the broker says about them at a reconnect", async () => {
    const broker = new FakeBroker();
    broker.prepare = (connection) => {
      connection.producerAnswer = { lastSequenceId: 41 };
    };
    const producer = await broker.create({ name: "mine", batchingEnabled: false });
    expect(producer.lastSequenceId).toBe(41n);
    void send(producer, { value: "a" });
    broker.connection.receipt(42);
    expect(producer.lastSequenceId).toBe(42n);
    broker.connection.close();
    const second = await broker.reconnect();
    void send(producer, { value: "b" });
    expect(second.sends().map((send) => send.sequenceId)).toEqual([43]);
  });

  it("ignores receipts for entries that were not written on this connection yet", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingEnabled: false });
    const sent = send(producer, { value: "a" });
    const first = broker.connection;
    first.closeProducer();
    first.receipt(0);
    expect(await outcome(sent)).toBe("pending");
  });

  it("ignores a receipt below the oldest pending entry and attaches anew for one above it", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingEnabled: false });
    const sends = ["a", "b", "c"].map((value) => send(producer, { value }));
    const first = broker.connection;
    first.receipt(0);
    first.receipt(0);
    expect(producer.state).toBe("ready");
    first.receipt(2);
    expect(producer.state).toBe("reconnecting");
    expect(first.hasProducer).toBe(false);
    const second = await broker.reconnect();
    expect(second.texts()).toEqual(["b", "c"]);
    second.receiptAll();
    expect(await outcomes(sends)).toEqual(["sent", "sent", "sent"]);
  });

  it("resolves with an id of -1:-1 when the broker dropped a duplicate", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingEnabled: false });
    const sent = send(producer, { value: "a" });
    broker.connection.receipt(0, -1, -1);
    const id = await sent;
    expect([id.ledgerId, id.entryId]).toEqual([-1n, -1n]);
  });

  // B22: a frame above the limit makes a broker close the connection, time and again
  it("rejects what a broker with a lower limit would not take, and sends the rest", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingEnabled: false });
    const sends = ["a", "x".repeat(100_000), "b"].map((value) => send(producer, { value }));
    broker.prepare = (connection) => {
      connection.maxMessageSizeBytes = 50_000;
    };
    broker.connection.close();
    const second = await broker.reconnect();
    expect(second.texts()).toEqual(["a", "b"]);
    second.receiptAll();
    expect(await outcomes(sends)).toEqual(["sent", "MESSAGE_TOO_BIG", "sent"]);
  });

  it("writes again only what the socket takes, and goes on when it has drained", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingEnabled: false });
    broker.connection.takesMore = false;
    const sends = ["a", "b", "c"].map((value) => send(producer, { value }));
    expect(broker.connection.texts()).toEqual(["a"]);
    broker.connection.takesMore = true;
    broker.connection.drain();
    expect(broker.connection.texts()).toEqual(["a", "b", "c"]);
    broker.connection.receiptAll();
    expect(await outcomes(sends)).toEqual(["sent", "sent", "sent"]);
  });

  it("forgets about a socket that was full when it is gone", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingEnabled: false });
    const first = broker.connection;
    first.takesMore = false;
    void send(producer, { value: "a" });
    void send(producer, { value: "b" });
    first.close();
    const second = await broker.reconnect();
    expect(second.texts()).toEqual(["a", "b"]);
    first.drain();
    expect(second.texts()).toEqual(["a", "b"]);
  });

  it("reports its state changes after they are complete", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    const seen: string[] = [];
    producer.on("stateChange", ({ state, error }) => {
      seen.push(`${state} ${producer.state} ${error?.code ?? ""}`);
      throw new Error("a listener that throws");
    });
    broker.connection.close(new NotConnectedError("gone"));
    expect(seen).toEqual([]);
    await broker.reconnect();
    await producer.close();
    await outcome(Promise.resolve());
    expect(seen).toEqual([
      "reconnecting reconnecting NOT_CONNECTED",
      "ready ready ",
      "closing closing ",
      "closed closed ",
    ]);
  });

  // B34
  it("rejects everything and stops trying when the topic is terminated", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    const pending = send(producer, { value: "a" });
    broker.prepare = (connection) => {
      connection.producerAnswer = brokerError("TopicTerminatedError");
    };
    broker.connection.closeProducer();
    await broker.reconnect();
    expect(producer.state).toBe("failed");
    expect(await outcomes([pending, send(producer, { value: "b" }), producer.flush()])).toEqual([
      "TOPIC_TERMINATED",
      "TOPIC_TERMINATED",
      "TOPIC_TERMINATED",
    ]);
    const attempts = broker.connections.length;
    await broker.clock.advance(120_000);
    expect(broker.connections).toHaveLength(attempts);
    expect(broker.closedProducers).toBe(1);
    await producer.close();
  });
});
