import { expect, it } from "vitest";
import { Backoff, DEFAULT_BACKOFF } from "../../src/session/backoff.ts";

it("doubles from 100 ms to a minute and stays there", () => {
  const backoff = new Backoff(DEFAULT_BACKOFF, () => 0);
  const delays = Array.from({ length: 12 }, () => backoff.next());
  expect(delays).toEqual([100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 51_200, 60_000, 60_000]);
});

it("shortens each delay by at most a tenth", () => {
  const backoff = new Backoff(DEFAULT_BACKOFF, () => 0.999);
  expect([backoff.next(), backoff.next(), backoff.next()]).toEqual([91, 181, 361]);
});

it("starts over after a reset", () => {
  const backoff = new Backoff({ initialMs: 7, maxMs: 10 }, () => 0);
  expect([backoff.next(), backoff.next()]).toEqual([7, 10]);
  backoff.reset();
  expect(backoff.next()).toBe(7);
});
