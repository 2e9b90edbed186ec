import { describe, expect, it } from "vitest";
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
});
