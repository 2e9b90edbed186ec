import { afterEach, describe, expect, it } from "vitest";
import { ConnectError } from "../../src/errors.ts";
import { reactions } from "../util/manual-clock.ts";
import { brokerError } from "./fake-connection.ts";
import { FakeBroker, outcome, outcomes, send } from "./producer-fixture.ts";

describe("closing a producer", () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown): number => unhandled.push(error);
  process.on("unhandledRejection", onUnhandled);
  afterEach(() => {
    expect(unhandled).toEqual([]);
  });

  // B01
  it("publishes the open batch and waits for the receipts before it tells the broker", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingMaxPublishDelayMs: 2000 });
    const sends = Array.from({ length: 500 }, (_, index) => send(producer, { value: `${index}` }));
    const closed = producer.close();
    expect(producer.state).toBe("closing");
    expect(broker.connection.texts()).toHaveLength(500);
    expect(await outcome(closed)).toBe("pending");
    expect(broker.connection.closeProducerRequests).toBe(0);
    broker.connection.receiptAll();
    await closed;
    expect(new Set(await outcomes(sends))).toEqual(new Set(["sent"]));
    expect(broker.connection.closeProducerRequests).toBe(1);
    expect(producer.state).toBe("closed");
    expect(broker.clock.pendingTimers).toBe(0);
    expect(broker.closedProducers).toBe(1);
  });

  it("also publishes what waits for room", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingEnabled: false, maxPendingMessages: 1, blockIfQueueFull: true });
    const sends = ["a", "b", "c"].map((value) => send(producer, { value }));
    const closed = producer.close();
    for (const sequenceId of [0, 1, 2]) broker.connection.receipt(sequenceId);
    await closed;
    expect(await outcomes(sends)).toEqual(["sent", "sent", "sent"]);
  });

  it("rejects everything without a receipt when it must not drain", async () => {
    const broker = new FakeBroker(1_000_000);
    const producer = await broker.create({ maxPendingMessages: 2, blockIfQueueFull: true });
    const sends = ["a", "b", "c"].map((value) => send(producer, { value }));
    await producer.close({ drain: false });
    expect(await outcomes(sends)).toEqual(["ALREADY_CLOSED", "ALREADY_CLOSED", "ALREADY_CLOSED"]);
    expect(broker.connection.frames).toEqual([]);
    expect(broker.memory.used).toBe(0);
    expect(broker.clock.pendingTimers).toBe(0);
  });

  it("can be cut short by a second close that does not drain", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    const sent = send(producer, { value: "a" });
    const first = producer.close();
    await producer.close({ drain: false });
    await first;
    expect(await outcome(sent)).toBe("ALREADY_CLOSED");
  });

  it("stops draining when its signal is aborted, and closes all the same", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    const sent = send(producer, { value: "a" });
    const abort = new AbortController();
    const closed = producer.close({ signal: abort.signal });
    const reason = new Error("no time");
    abort.abort(reason);
    expect(await outcome(closed)).toBe(reason);
    expect(await outcome(sent)).toBe("ALREADY_CLOSED");
    expect(producer.state).toBe("closed");
  });

  // B02
  it("stops draining when a second close brings a signal that is aborted already", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    const sent = send(producer, { value: "a" });
    const closing = producer.close();
    await expect(producer.close({ signal: AbortSignal.abort(new Error("enough")) })).rejects.toThrow("enough");
    await closing;
    expect(await outcomes([sent])).toEqual(["ALREADY_CLOSED"]);
  });

  it("may be repeated, and what comes after it is refused", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    await Promise.all([producer.close(), producer.close()]);
    await producer.close();
    await producer[Symbol.asyncDispose]();
    expect(broker.connection.closeProducerRequests).toBe(1);
    expect(await outcomes([send(producer, { value: "a" }), producer.flush()])).toEqual([
      "ALREADY_CLOSED",
      "ALREADY_CLOSED",
    ]);
  });

  // B06
  it("works from the reaction to a send and from a listener", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ batchingEnabled: false });
    const closed = send(producer, { value: "a" }).then(() => producer.close());
    broker.connection.receipt(0);
    await closed;

    const other = await broker.create();
    const closedByListener = new Promise((resolve) => {
      other.on("stateChange", ({ state }) => {
        if (state === "reconnecting") resolve(other.close());
      });
    });
    broker.connection.close();
    await closedByListener;
    expect(other.state).toBe("closed");
  });

  it("drains over a reconnect", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    const sent = send(producer, { value: "a" });
    const closed = producer.close();
    broker.connection.close();
    const second = await broker.reconnect();
    expect(second.texts()).toEqual(["a"]);
    second.receiptAll();
    await closed;
    expect(await outcomes([sent])).toEqual(["sent"]);
    expect(second.closeProducerRequests).toBe(1);
  });

  it("ends with the send timeout when the broker does not come back", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ sendTimeoutMs: 2000 });
    const sent = send(producer, { value: "a" });
    broker.isDown = new ConnectError("refused");
    broker.connection.close();
    const closed = producer.close();
    await broker.clock.advance(2000);
    await closed;
    expect(await outcome(sent)).toBe("TIMEOUT");
    expect(broker.clock.pendingTimers).toBe(0);
  });

  it("ends with the operation timeout where there is no send timeout", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ sendTimeoutMs: 0 });
    const sent = send(producer, { value: "a" });
    const closed = producer.close();
    await broker.clock.advance(29_999);
    expect(await outcome(closed)).toBe("pending");
    await broker.clock.advance(1);
    await closed;
    expect(await outcome(sent)).toBe("ALREADY_CLOSED");
  });

  it("settles everything when the producer fails meanwhile", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    const sent = send(producer, { value: "a" });
    const closed = producer.close();
    broker.prepare = (connection) => {
      connection.producerAnswer = brokerError("ProducerFenced");
    };
    broker.connection.close();
    await broker.reconnect();
    await closed;
    expect(await outcome(sent)).toBe("PRODUCER_FENCED");
    expect(producer.state).toBe("closed");
  });

  it("leaves no producer behind when it overtakes an attempt to attach", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    broker.prepare = (connection) => {
      connection.producerAnswer = "never";
    };
    broker.connection.close();
    const second = await broker.reconnect();
    expect(second.hasProducer).toBe(true);
    await producer.close();
    expect(second.hasProducer).toBe(false);
    expect(second.closeProducerRequests).toBe(1);
  });

  it("rejects a creation that fails for good, once", async () => {
    const broker = new FakeBroker();
    broker.prepare = (connection) => {
      connection.producerAnswer = brokerError("AuthorizationError");
    };
    expect(await outcome(broker.create())).toBe("AUTHORIZATION");
    await reactions();
    expect(broker.clock.pendingTimers).toBe(0);
    expect(broker.connections).toHaveLength(1);
  });
});
