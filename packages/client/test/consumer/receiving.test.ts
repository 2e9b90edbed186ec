import { describe, expect, it } from "vitest";
import { AlreadyClosedError } from "../../src/errors.ts";
import { reactions } from "../util/manual-clock.ts";
import { FakeConsumerBroker, outcome, takeAll, values } from "./consumer-fixture.ts";
import { batch, single, texts } from "./entries.ts";

describe("receive", () => {
  it("gives the messages of entries and batches in order", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.deliver(single(0, "a"), batch(1, ["b", "c"]), single(2, "d"));
    expect(values(await takeAll(consumer))).toEqual(["a", "b", "c", "d"]);
  });

  it("serves waiting callers in the order of their calls", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const calls = [consumer.receive(), consumer.receive(), consumer.receive()];
    broker.connection.deliver(batch(0, ["a", "b", "c"]));
    expect(values(await Promise.all(calls))).toEqual(["a", "b", "c"]);
  });

  it("rejects with a timeout and leaves no timer", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const call = consumer.receive({ timeoutMs: 500 });
    await broker.clock.advance(499);
    expect(await outcome(call)).toBe("pending");
    await broker.clock.advance(1);
    expect(await outcome(call)).toBe("TIMEOUT");
    expect(broker.clock.pendingTimers).toBe(0);
  });

  it("loses no message to a caller that was aborted or timed out", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const abort = new AbortController();
    const aborted = consumer.receive({ signal: abort.signal });
    const timedOut = consumer.receive({ timeoutMs: 10 });
    const patient = consumer.receive();
    abort.abort(new Error("enough"));
    await broker.clock.advance(10);
    await expect(aborted).rejects.toThrow("enough");
    expect(await outcome(timedOut)).toBe("TIMEOUT");
    broker.connection.deliver(batch(0, ["a", "b"]));
    expect((await patient).value).toBe("a");
    expect(values(await takeAll(consumer))).toEqual(["b"]);
  });

  it("rejects at once with the reason of a signal that is aborted already", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.deliver(single(0, "a"));
    await expect(consumer.receive({ signal: AbortSignal.abort(new Error("no")) })).rejects.toThrow("no");
    expect(consumer.queuedMessages).toBe(1);
  });

  // B03
  it("rejects pending calls with AlreadyClosedError when the consumer closes", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const calls = [consumer.receive(), consumer.receive({ timeoutMs: 60_000 })];
    await consumer.close();
    for (const call of calls) await expect(call).rejects.toBeInstanceOf(AlreadyClosedError);
    await expect(consumer.receive()).rejects.toMatchObject({ code: "ALREADY_CLOSED" });
    expect(broker.clock.pendingTimers).toBe(0);
  });
});

describe("iteration", () => {
  it("ends at the close, without an error", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const seen: (string | null)[] = [];
    const loop = (async () => {
      for await (const message of consumer) seen.push(message.value);
    })();
    broker.connection.deliver(batch(0, texts("a", 3)));
    await reactions();
    await consumer.close();
    await loop;
    expect(seen).toEqual(["a0", "a1", "a2"]);
  });

  it("ends when the signal is aborted, and loses nothing", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const abort = new AbortController();
    const seen: (string | null)[] = [];
    const loop = (async () => {
      for await (const message of consumer.messages({ signal: abort.signal })) seen.push(message.value);
    })();
    broker.connection.deliver(single(0, "a"));
    await reactions();
    abort.abort();
    await loop;
    broker.connection.deliver(single(1, "b"));
    expect(seen).toEqual(["a"]);
    expect(consumer.queuedMessages).toBe(1);
  });

  it("takes no message for a waiting next() when the iteration is ended", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const iterator = consumer.messages();
    const waiting = iterator.next();
    await iterator.return?.();
    expect(await waiting).toEqual({ done: true, value: undefined });
    broker.connection.deliver(single(0, "a"));
    expect(consumer.queuedMessages).toBe(1);
  });

  it("throws what the consumer failed with", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const next = consumer.messages().next();
    broker.isDown = new TypeError("a defect");
    broker.connection.close();
    await broker.clock.advance(100);
    await expect(next).rejects.toMatchObject({ code: "UNKNOWN_SERVER_ERROR" });
    expect(consumer.state).toBe("failed");
    expect(broker.closedConsumers).toBe(1);
  });

  // B06
  it("may close the consumer from inside the loop", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.deliver(batch(0, texts("a", 5)));
    const seen: (string | null)[] = [];
    for await (const message of consumer) {
      seen.push(message.value);
      await consumer.close();
    }
    expect(seen).toEqual(["a0"]);
  });
});

describe("events", () => {
  it("come after the change, and a throwing listener stops nobody", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ subscriptionType: "Failover" });
    const seen: unknown[] = [];
    consumer.on("activeConsumerChange", () => {
      throw new Error("a listener's own");
    });
    consumer.on("activeConsumerChange", (event) => seen.push(event, consumer.isActive));
    consumer.on("endOfTopic", (event) => seen.push(event, consumer.hasReachedEndOfTopic));
    broker.connection.setActive(false);
    expect(seen).toEqual([]);
    broker.connection.reachEndOfTopic();
    await reactions();
    expect(seen).toEqual([{ isActive: false }, false, { topic: consumer.topic }, true]);
  });

  it("tell each change of state once", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const states: string[] = [];
    consumer.on("stateChange", ({ state }) => states.push(state));
    broker.connection.close();
    await broker.reconnect();
    await consumer.close();
    await consumer.close();
    await reactions();
    expect(states).toEqual(["reconnecting", "ready", "closing", "closed"]);
    expect(broker.closedConsumers).toBe(1);
  });
});
