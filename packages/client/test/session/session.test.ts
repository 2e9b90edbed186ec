import { describe, expect, it } from "vitest";
import {
  AuthenticationError,
  ConsumerBusyError,
  NotConnectedError,
  ProducerBusyError,
  ServiceNotReadyError,
  TimeoutError,
  TopicNotFoundError,
  TopicTerminatedError,
} from "../../src/errors.ts";
import { Deferred } from "../../src/util/deferred.ts";
import { reactions } from "../util/manual-clock.ts";
import { last, SessionFixture } from "./session-fixture.ts";

describe("opening", () => {
  it("is ready once the attachment has attached, and tells it before open() resolves", async () => {
    const fixture = new SessionFixture();
    const opened = fixture.session.open().then(() => fixture.events.push("opened"));
    await reactions();
    expect(fixture.session.state).toBe("connecting");
    const connection = await fixture.becomeReady();
    await opened;
    expect(fixture.session.state).toBe("ready");
    expect(fixture.session.connection).toBe(connection.asConnection);
    expect(fixture.events).toEqual(["ready", "opened"]);
  });

  it("rejects at once with a final error", async () => {
    const fixture = new SessionFixture();
    const opened = fixture.session.open();
    opened.catch(() => {});
    await reactions();
    await fixture.giveConnection();
    last(fixture.attaches).result.reject(new TopicNotFoundError("no such topic"));
    await expect(opened).rejects.toMatchObject({ code: "TOPIC_NOT_FOUND" });
    expect(fixture.session.state).toBe("failed");
    expect(fixture.events).toEqual([]);
    expect(fixture.clock.pendingTimers).toBe(0);
  });

  it("retries what may pass with delays that double from 100 ms", async () => {
    const fixture = new SessionFixture();
    fixture.session.open().catch(() => {});
    await reactions();
    for (const delayMs of [100, 200, 400, 800, 1600]) {
      const calls = fixture.connects.length;
      last(fixture.connects).result.reject(new ServiceNotReadyError("starting"));
      await fixture.clock.advance(delayMs - 1);
      expect(fixture.connects).toHaveLength(calls);
      await fixture.clock.advance(1);
      expect(fixture.connects).toHaveLength(calls + 1);
    }
  });

  it("gives up at the operation timeout with the last error", async () => {
    const fixture = new SessionFixture({ operationTimeoutMs: 1000 });
    const opened = fixture.session.open();
    opened.catch(() => {});
    await reactions();
    last(fixture.connects).result.reject(new ServiceNotReadyError("starting"));
    await fixture.clock.advance(100);
    expect(fixture.connects).toHaveLength(2);
    await fixture.clock.advance(899);
    expect(fixture.session.state).toBe("connecting");
    await fixture.clock.advance(1);
    await expect(opened).rejects.toMatchObject({ code: "SERVICE_NOT_READY" });
    expect(last(fixture.connects).signal.aborted).toBe(true);
  });

  it("times out when nothing answers at all", async () => {
    const fixture = new SessionFixture({ operationTimeoutMs: 1000 });
    const opened = fixture.session.open();
    opened.catch(() => {});
    await fixture.clock.advance(1000);
    await expect(opened).rejects.toMatchObject({ code: "TIMEOUT" });
  });

  it("tries near the end of the time allowed however long the delays have grown", async () => {
    const fixture = new SessionFixture({ operationTimeoutMs: 30_000 });
    const opened = fixture.session.open();
    opened.catch(() => {});
    await reactions();
    let lastTryAt = 0;
    const startedAt = fixture.clock.monotonicNow();
    for (let call = fixture.connects.at(-1); call !== undefined && fixture.session.state === "connecting"; ) {
      call.result.reject(new ServiceNotReadyError("starting"));
      await fixture.clock.advance(50);
      if (fixture.connects.at(-1) !== call) lastTryAt = fixture.clock.monotonicNow() - startedAt;
      call = fixture.connects.at(-1);
    }
    expect(lastTryAt).toBeGreaterThan(29_000);
  });

  it("lifts the deadline while the broker queues the producer", async () => {
    const fixture = new SessionFixture({ operationTimeoutMs: 1000 });
    const opened = fixture.session.open();
    await reactions();
    await fixture.giveConnection();
    last(fixture.attaches).attempt.onQueued();
    await fixture.clock.advance(100_000);
    expect(fixture.session.state).toBe("connecting");
    last(fixture.attaches).result.resolve();
    await opened;
    expect(fixture.session.state).toBe("ready");
  });

  it("ends with the signal's reason when aborted, and undoes the attempt", async () => {
    const fixture = new SessionFixture();
    const abort = new AbortController();
    const opened = fixture.session.open(abort.signal);
    opened.catch(() => {});
    await reactions();
    const connection = await fixture.giveConnection();
    abort.abort(new Error("enough"));
    await expect(opened).rejects.toThrow("enough");
    await reactions();
    expect(fixture.session.state).toBe("closed");
    expect(fixture.detached).toEqual([connection.asConnection]);
    expect(fixture.clock.pendingTimers).toBe(0);
  });

  it("does not connect for a signal that is aborted already", async () => {
    const fixture = new SessionFixture();
    const opened = fixture.session.open(AbortSignal.abort(new Error("before")));
    await expect(opened).rejects.toThrow("before");
    await reactions();
    expect(fixture.attaches).toHaveLength(0);
    expect(fixture.session.state).toBe("closed");
  });

  it("treats what is no PulsarError as final", async () => {
    const fixture = new SessionFixture();
    const opened = fixture.session.open();
    opened.catch(() => {});
    await reactions();
    const defect = new TypeError("a defect");
    last(fixture.connects).result.reject(defect);
    await expect(opened).rejects.toMatchObject({ code: "UNKNOWN_SERVER_ERROR", cause: defect });
  });
});

describe("reconnecting", () => {
  it("attaches again after a loss, with the next epoch", async () => {
    const fixture = new SessionFixture();
    await fixture.openAndLose();
    expect(fixture.session.state).toBe("reconnecting");
    expect(fixture.session.connection).toBeUndefined();
    await fixture.clock.advance(100);
    const second = await fixture.becomeReady("second");
    expect(fixture.session.connection).toBe(second.asConnection);
    expect(fixture.attaches.map(({ attempt }) => [attempt.epoch, attempt.isFirst])).toEqual([
      [0, true],
      [1, false],
    ]);
    expect(fixture.events).toEqual(["ready", "disconnected NOT_CONNECTED", "ready"]);
    expect(fixture.states).toEqual(["ready", "reconnecting", "ready"]);
  });

  it("goes on for ever with errors that may pass", async () => {
    const fixture = new SessionFixture({ operationTimeoutMs: 1000 });
    await fixture.openAndLose();
    for (let round = 0; round < 30; round++) {
      await fixture.clock.advance(60_000);
      last(fixture.connects).result.reject(new NotConnectedError("still away"));
      await reactions();
    }
    expect(fixture.session.state).toBe("reconnecting");
    expect(fixture.connects.length).toBeGreaterThan(30);
  });

  // B15: the broker may still hold the session's own predecessor.
  it("retries Busy once it has been attached, which is final on the first attempt", async () => {
    const fixture = new SessionFixture();
    await fixture.openAndLose();
    await fixture.clock.advance(100);
    await fixture.giveConnection();
    last(fixture.attaches).result.reject(new ProducerBusyError("ghost"));
    await fixture.clock.advance(200);
    await fixture.giveConnection();
    last(fixture.attaches).result.reject(new ConsumerBusyError("ghost"));
    await fixture.clock.advance(400);
    await fixture.becomeReady();
    expect(fixture.session.state).toBe("ready");
  });

  it("retries credentials that are refused at a reconnect", async () => {
    const fixture = new SessionFixture();
    await fixture.openAndLose();
    await fixture.clock.advance(100);
    last(fixture.connects).result.reject(new AuthenticationError("expired"));
    await fixture.clock.advance(200);
    await fixture.becomeReady();
    expect(fixture.session.state).toBe("ready");
  });

  // B19, B34: nothing is gained by repeating these.
  it.each([new TopicNotFoundError("deleted"), new TopicTerminatedError("terminated")])(
    "fails for good when a reconnect meets $code",
    async (error) => {
      const fixture = new SessionFixture();
      await fixture.openAndLose();
      await fixture.clock.advance(100);
      await fixture.giveConnection();
      last(fixture.attaches).result.reject(error);
      await reactions();
      expect(fixture.session.state).toBe("failed");
      expect(fixture.session.error).toBe(error);
      expect(fixture.events.at(-1)).toBe(`failed ${error.code}`);
      await fixture.clock.advance(1_000_000);
      expect(fixture.connects).toHaveLength(2);
    },
  );

  // B14: a rejected re-attach is not taken for success.
  it("is not ready between rejected attempts", async () => {
    const fixture = new SessionFixture();
    await fixture.openAndLose();
    for (const delayMs of [100, 200, 400]) {
      await fixture.clock.advance(delayMs);
      await fixture.giveConnection();
      last(fixture.attaches).result.reject(new ServiceNotReadyError("not yet"));
      await reactions();
      expect(fixture.session.state).toBe("reconnecting");
    }
    await fixture.clock.advance(800);
    await fixture.becomeReady();
    expect(fixture.session.state).toBe("ready");
  });

  it("tells the broker to drop an attempt that timed out before it tries again", async () => {
    const fixture = new SessionFixture();
    await fixture.openAndLose();
    await fixture.clock.advance(100);
    const silent = await fixture.giveConnection("silent");
    last(fixture.attaches).result.reject(new TimeoutError("no answer"));
    await reactions();
    expect(fixture.detached).toEqual([silent.asConnection]);
    expect(fixture.attaches).toHaveLength(2);
  });

  it("follows a hint at once, and only once", async () => {
    const fixture = new SessionFixture();
    const first = await fixture.openReady();
    const hint = { brokerServiceUrl: "pulsar://other:6650" };
    fixture.session.closedByBroker(first.asConnection, hint);
    await reactions();
    expect(fixture.connects).toHaveLength(2);
    expect(last(fixture.connects).hint).toBe(hint);
    last(fixture.connects).result.reject(new NotConnectedError("not there"));
    await fixture.clock.advance(100);
    expect(fixture.connects).toHaveLength(3);
    expect(last(fixture.connects).hint).toBeUndefined();
  });

  it("waits longer and longer for brokers that send it to one another without serving it", async () => {
    const fixture = new SessionFixture();
    const hint = { brokerServiceUrl: "pulsar://other:6650" };
    let connection = await fixture.openReady();
    for (const delayMs of [0, 100, 200, 400]) {
      fixture.session.closedByBroker(connection.asConnection, hint);
      const calls = fixture.connects.length;
      if (delayMs > 0) {
        await fixture.clock.advance(delayMs - 1);
        expect(fixture.connects).toHaveLength(calls);
        await fixture.clock.advance(1);
      }
      await reactions();
      expect(fixture.connects).toHaveLength(calls + 1);
      expect(last(fixture.connects).hint).toBe(hint);
      connection = await fixture.becomeReady();
    }
    fixture.session.served();
    fixture.session.closedByBroker(connection.asConnection, hint);
    const calls = fixture.connects.length;
    await reactions();
    expect(fixture.connects).toHaveLength(calls + 1);
  });

  it("waits for brokers that send it to one another while it attaches", async () => {
    const fixture = new SessionFixture();
    const hint = { brokerServiceUrl: "pulsar://other:6650" };
    void fixture.session.open();
    await reactions();
    for (const delayMs of [0, 100, 200]) {
      const connection = await fixture.giveConnection();
      const calls = fixture.connects.length;
      fixture.session.closedByBroker(connection.asConnection, hint);
      if (delayMs > 0) {
        await fixture.clock.advance(delayMs - 1);
        expect(fixture.connects).toHaveLength(calls);
        await fixture.clock.advance(1);
      }
      await reactions();
      expect(fixture.connects).toHaveLength(calls + 1);
    }
    await fixture.session.close();
  });

  // B13: one unload is one reconnect; a broker that accepts and closes again does not see a storm.
  it("lengthens the delays while the broker closes what it has just accepted", async () => {
    const fixture = new SessionFixture();
    let connection = await fixture.openReady();
    for (const delayMs of [100, 200, 400]) {
      fixture.session.closedByBroker(connection.asConnection, undefined);
      await fixture.clock.advance(delayMs - 1);
      const calls = fixture.connects.length;
      await fixture.clock.advance(1);
      expect(fixture.connects).toHaveLength(calls + 1);
      connection = await fixture.becomeReady();
    }
    await fixture.clock.advance(10_000);
    fixture.session.closedByBroker(connection.asConnection, undefined);
    const calls = fixture.connects.length;
    await fixture.clock.advance(100);
    expect(fixture.connects).toHaveLength(calls + 1);
  });

  it("starts its delays over when the broker has served it in between", async () => {
    const fixture = new SessionFixture();
    let connection = await fixture.openReady();
    for (let round = 0; round < 5; round++) {
      fixture.session.served();
      fixture.lose(connection);
      await fixture.clock.advance(100);
      connection = await fixture.becomeReady();
      expect(fixture.session.state).toBe("ready");
    }
  });

  it("attaches anew without delay when that is part of an operation", async () => {
    const fixture = new SessionFixture();
    await fixture.openReady();
    fixture.session.reconnect(new NotConnectedError("seek"), true);
    await reactions();
    await fixture.becomeReady();
    expect(fixture.session.state).toBe("ready");
  });

  it("does not take a connection for good that closed while attaching", async () => {
    const fixture = new SessionFixture();
    await fixture.openAndLose();
    await fixture.clock.advance(100);
    const connection = await fixture.giveConnection();
    connection.isOpen = false;
    last(fixture.attaches).result.resolve();
    await reactions();
    expect(fixture.session.state).toBe("reconnecting");
    expect(fixture.events).toEqual(["ready", "disconnected NOT_CONNECTED"]);
  });

  it("starts over when the broker closes what it has just accepted in the same breath", async () => {
    const fixture = new SessionFixture();
    await fixture.openAndLose();
    await fixture.clock.advance(100);
    const connection = await fixture.giveConnection();
    // The success and the CLOSE stand in one chunk: the close is heard before the reaction to the success runs.
    last(fixture.attaches).result.resolve();
    fixture.session.closedByBroker(connection.asConnection, undefined);
    await reactions();
    expect(fixture.session.state).toBe("reconnecting");
    expect(fixture.detached).toEqual([connection.asConnection]);
    await fixture.clock.advance(200);
    await fixture.becomeReady();
    expect(fixture.session.state).toBe("ready");
  });
});

describe("closing", () => {
  it("detaches and resolves when the broker has answered", async () => {
    const fixture = new SessionFixture();
    const connection = await fixture.openReady();
    const answer = new Deferred<void>();
    fixture.detaching = answer.promise;
    let isClosed = false;
    const closed = fixture.session.close().then(() => {
      isClosed = true;
    });
    await reactions();
    expect(isClosed).toBe(false);
    expect(fixture.session.state).toBe("closing");
    answer.resolve();
    await closed;
    expect(fixture.detached).toEqual([connection.asConnection]);
    expect(fixture.session.state).toBe("closed");
  });

  it("resolves although the broker cannot be told", async () => {
    const fixture = new SessionFixture();
    await fixture.openReady();
    fixture.detaching = Promise.reject(new TimeoutError("no answer"));
    await fixture.session.close();
    expect(fixture.session.state).toBe("closed");
  });

  it("uses the way to detach that it is given", async () => {
    const fixture = new SessionFixture();
    const connection = await fixture.openReady();
    const seen: unknown[] = [];
    await fixture.session.close(async (given) => void seen.push(given));
    expect(seen).toEqual([connection.asConnection]);
    expect(fixture.detached).toEqual([]);
  });

  // B07
  it("leaves nothing behind when it happens during back-off", async () => {
    const fixture = new SessionFixture();
    await fixture.openAndLose();
    await fixture.session.close();
    expect(fixture.clock.pendingTimers).toBe(0);
    await fixture.clock.advance(1_000_000);
    expect(fixture.connects).toHaveLength(1);
  });

  // B07
  it("leaves nothing behind when it happens between lookup and attach", async () => {
    const fixture = new SessionFixture();
    await fixture.openAndLose();
    await fixture.clock.advance(100);
    const closed = fixture.session.close();
    await fixture.giveConnection();
    await closed;
    expect(fixture.attaches).toHaveLength(1);
    expect(fixture.session.state).toBe("closed");
  });

  // B07
  it("undoes an attach that the broker may have carried out, before it resolves", async () => {
    const fixture = new SessionFixture();
    await fixture.openAndLose();
    await fixture.clock.advance(100);
    const connection = await fixture.giveConnection();
    await fixture.session.close();
    expect(fixture.detached).toEqual([connection.asConnection]);
  });

  it("rejects an open() that is under way", async () => {
    const fixture = new SessionFixture();
    const opened = fixture.session.open();
    opened.catch(() => {});
    await reactions();
    await fixture.session.close();
    await expect(opened).rejects.toMatchObject({ code: "ALREADY_CLOSED" });
  });

  it("gives every caller the same end", async () => {
    const fixture = new SessionFixture();
    await fixture.openReady();
    await Promise.all([fixture.session.close(), fixture.session.close()]);
    await fixture.session.close();
    expect(fixture.detached).toHaveLength(1);
  });
});

describe("waiting for a connection", () => {
  it("gives the connection at once when ready, else when there is one", async () => {
    const fixture = new SessionFixture();
    const first = await fixture.openReady();
    expect(await fixture.session.whenReady()).toBe(first.asConnection);
    fixture.lose(first);
    const waiting = fixture.session.whenReady();
    await fixture.clock.advance(100);
    const second = await fixture.becomeReady();
    expect(await waiting).toBe(second.asConnection);
  });

  it("ends with the session, the signal or the time allowed", async () => {
    const fixture = new SessionFixture();
    await fixture.openAndLose();
    const timed = fixture.session.whenReady({ timeoutMs: 50 });
    timed.catch(() => {});
    await fixture.clock.advance(50);
    await expect(timed).rejects.toMatchObject({ code: "TIMEOUT" });
    const aborted = fixture.session.whenReady({ signal: AbortSignal.abort(new Error("enough")) });
    await expect(aborted).rejects.toThrow("enough");
    const waiting = fixture.session.whenReady();
    waiting.catch(() => {});
    await fixture.session.close();
    await expect(waiting).rejects.toMatchObject({ code: "ALREADY_CLOSED" });
    await expect(fixture.session.whenReady()).rejects.toMatchObject({ code: "ALREADY_CLOSED" });
  });
});
