import type { Clock, Timer } from "../../src/util/clock.ts";

interface ManualTimer {
  readonly fn: () => void;
  readonly at: number;
}

/** A clock that stands still until a test moves it. Time of day and monotonic time advance together. */
export class ManualClock implements Clock {
  readonly #startedAt = 1_700_000_000_000;
  #elapsedMs = 1000;
  readonly #timers = new Set<ManualTimer>();

  now(): number {
    return this.#startedAt + this.#elapsedMs;
  }

  monotonicNow(): number {
    return this.#elapsedMs;
  }

  setTimeout(fn: () => void, ms: number): Timer {
    const timer: ManualTimer = { fn, at: this.#elapsedMs + ms };
    this.#timers.add(timer);
    return timer;
  }

  clearTimeout(timer: Timer | undefined): void {
    this.#timers.delete(timer as ManualTimer);
  }

  /** Timers that have not fired. */
  get pendingTimers(): number {
    return this.#timers.size;
  }

  /** Moves time on, fires what is due in order, and lets every promise that is settled by it run its reactions. */
  async advance(ms: number): Promise<void> {
    const target = this.#elapsedMs + ms;
    await reactions();
    for (;;) {
      const due = [...this.#timers].filter((timer) => timer.at <= target).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#timers.delete(due);
      this.#elapsedMs = Math.max(this.#elapsedMs, due.at);
      due.fn();
      await reactions();
    }
    this.#elapsedMs = target;
  }
}

/** Resolves after all reactions of promises that are settled now, and of those that they settle. */
export function reactions(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
