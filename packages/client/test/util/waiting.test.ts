import { describe, expect, it } from "vitest";
import { Deferred } from "../../src/util/deferred.ts";
import { sleep } from "../../src/util/sleep.ts";
import { waitFor } from "../../src/util/wait-for.ts";
import { ManualClock } from "./manual-clock.ts";

const onTimeout = (): Error => new Error("too late");

describe("waitFor", () => {
  it("gives what the promise gives", async () => {
    const clock = new ManualClock();
    const { signal } = new AbortController();
    expect(await waitFor(Promise.resolve(1), { clock, signal, timeoutMs: 10, onTimeout })).toBe(1);
    await expect(waitFor(Promise.reject(new Error("no")), { clock, timeoutMs: 10, onTimeout })).rejects.toThrow("no");
    expect(clock.pendingTimers).toBe(0);
  });

  it("ends at the timeout, and swallows a later rejection", async () => {
    const clock = new ManualClock();
    const late = new Deferred<void>();
    const wait = waitFor(late.promise, { clock, timeoutMs: 10, onTimeout });
    wait.catch(() => {});
    await clock.advance(10);
    await expect(wait).rejects.toThrow("too late");
    late.reject(new Error("later"));
  });

  it("ends with the signal's reason, before or meanwhile", async () => {
    const clock = new ManualClock();
    const abort = new AbortController();
    const wait = waitFor(new Deferred<void>().promise, { clock, signal: abort.signal, timeoutMs: 10, onTimeout });
    abort.abort(new Error("enough"));
    await expect(wait).rejects.toThrow("enough");
    const again = waitFor(Promise.resolve(), { clock, signal: abort.signal, onTimeout });
    await expect(again).rejects.toThrow("enough");
    expect(clock.pendingTimers).toBe(0);
  });
});

describe("sleep", () => {
  it("lasts as long as asked", async () => {
    const clock = new ManualClock();
    let isOver = false;
    void sleep(10, clock).then(() => {
      isOver = true;
    });
    await clock.advance(9);
    expect(isOver).toBe(false);
    await clock.advance(1);
    expect(isOver).toBe(true);
  });

  it("ends with the signal's reason", async () => {
    const clock = new ManualClock();
    const abort = new AbortController();
    const sleeping = sleep(10, clock, abort.signal);
    abort.abort(new Error("enough"));
    await expect(sleeping).rejects.toThrow("enough");
    await expect(sleep(10, clock, abort.signal)).rejects.toThrow("enough");
    expect(clock.pendingTimers).toBe(0);
  });
});
