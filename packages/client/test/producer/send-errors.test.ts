import { describe, expect, it } from "vitest";
import { brokerError } from "./fake-connection.ts";
import { FakeBroker, outcome, outcomes, send } from "./producer-fixture.ts";

describe("SEND_ERROR", () => {
  it("fails only the entry that is not allowed", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingEnabled: false });
    const sends = ["a", "b", "c"].map((value) => send(producer, { value }));
    broker.connection.sendError(1, "NotAllowedError");
    broker.connection.receipt(0);
    broker.connection.receipt(2);
    expect(await outcomes(sends)).toEqual(["sent", "NOT_ALLOWED", "sent"]);
    expect(producer.state).toBe("ready");
  });

  it("sends everything again on the same connection after a checksum error on its way", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingEnabled: false });
    const sends = ["a", "b"].map((value) => send(producer, { value }));
    broker.connection.sendError(0, "ChecksumError");
    expect(broker.connection.texts()).toEqual(["a", "b", "a", "b"]);
    broker.connection.receiptAll(2);
    expect(await outcomes(sends)).toEqual(["sent", "sent"]);
  });

  it("fails an entry whose bytes were damaged in memory, and sends the others again", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingEnabled: false });
    const sends = ["a", "b"].map((value) => send(producer, { value }));
    const { frames, originals } = broker.connection;
    const damaged = originals[0];
    if (damaged === undefined) throw new Error("nothing was written");
    damaged[damaged.length - 1] = 0xff;
    frames.length = 0;
    broker.connection.sendError(0, "ChecksumError");
    expect(broker.connection.texts()).toEqual(["b"]);
    broker.connection.receipt(1);
    expect(await outcomes(sends)).toEqual(["CHECKSUM", "sent"]);
  });

  it("ignores a checksum error for an entry that was given up", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingEnabled: false, sendTimeoutMs: 1000 });
    void send(producer, { value: "a" });
    await broker.clock.advance(1000);
    void send(producer, { value: "b" });
    broker.connection.sendError(0, "ChecksumError");
    expect(broker.connection.texts()).toEqual(["a", "b"]);
  });

  // B34
  it("fails the producer for a terminated topic", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    const first = send(producer, { value: "a" });
    await broker.clock.advance(1);
    const second = send(producer, { value: "b" });
    broker.connection.sendError(0, "TopicTerminatedError");
    expect(producer.state).toBe("failed");
    const after = send(producer, { value: "c" });
    expect(await outcomes([first, second, after])).toEqual([
      "TOPIC_TERMINATED",
      "TOPIC_TERMINATED",
      "TOPIC_TERMINATED",
    ]);
    expect(broker.clock.pendingTimers).toBe(0);
  });

  it.each(["PersistenceError", "MetadataError", "ServiceNotReady", "UnknownError"] as const)(
    "attaches anew and sends everything again after %s",
    async (error) => {
      const broker = new FakeBroker();
      const producer = await broker.create({ batchingEnabled: false });
      const sends = ["a", "b"].map((value) => send(producer, { value }));
      broker.connection.sendError(0, error);
      expect(producer.state).toBe("reconnecting");
      const second = await broker.reconnect();
      expect(second.texts()).toEqual(["a", "b"]);
      second.receiptAll();
      expect(await outcomes(sends)).toEqual(["sent", "sent"]);
    },
  );
});

describe("access modes", () => {
  it("passes the mode on and gives the topic epoch back at a reconnect", async () => {
    const broker = new FakeBroker();
    broker.prepare = (connection) => {
      connection.producerAnswer = { topicEpoch: 3 };
    };
    const producer = await broker.create({ accessMode: "ExclusiveWithFencing" });
    broker.connection.close();
    await broker.reconnect();
    const requests = broker.connections.flatMap((connection) => connection.producerRequests);
    expect(requests.map(({ producerAccessMode, topicEpoch }) => [producerAccessMode, topicEpoch])).toEqual([
      [3, undefined],
      [3, 3],
    ]);
    await producer.close();
  });

  it("fails the producer for good when another has fenced it off", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ accessMode: "Exclusive" });
    const sent = send(producer, { value: "a" });
    broker.prepare = (connection) => {
      connection.producerAnswer = brokerError("ProducerFenced");
    };
    broker.connection.close();
    await broker.reconnect();
    expect(await outcome(sent)).toBe("PRODUCER_FENCED");
    expect(producer.state).toBe("failed");
  });

  it("waits for its turn without a deadline once the broker has queued it", async () => {
    const broker = new FakeBroker();
    broker.prepare = (connection) => {
      connection.producerAnswer = "never";
    };
    const created = broker.create({ accessMode: "WaitForExclusive" });
    await broker.clock.advance(0);
    broker.connection.producerOptions[0]?.onQueued?.();
    await broker.clock.advance(10 * 60_000);
    expect(await outcome(created)).toBe("pending");
  });
});
