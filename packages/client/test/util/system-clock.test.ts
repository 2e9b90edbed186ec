import { describe, expect, it, vi } from "vitest";
import { systemClock } from "../../src/util/clock.ts";

describe("the system clock", () => {
  it.each([
    [undefined, false],
    [false, false],
    [true, true],
  ])("keeps the process alive with a timer only when told so: %s", (keepsProcess, expected) => {
    const timer = systemClock.setTimeout(() => {}, 60_000, keepsProcess) as NodeJS.Timeout;
    expect(timer.hasRef()).toBe(expected);
    systemClock.clearTimeout(timer);
  });

  it("waits as long as it can for what is too long for a timer, instead of not at all", () => {
    vi.useFakeTimers();
    try {
      let isOver = false;
      systemClock.setTimeout(() => {
        isOver = true;
      }, Number.MAX_SAFE_INTEGER);
      vi.advanceTimersByTime(24 * 60 * 60 * 1000);
      expect(isOver).toBe(false);
      vi.advanceTimersByTime(24 * 24 * 60 * 60 * 1000);
      expect(isOver).toBe(true);
    } finally {
      vi.useRealTimers();
    }
  });
});
