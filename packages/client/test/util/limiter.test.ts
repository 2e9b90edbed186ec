import { expect, it } from "vitest";
import { Limiter } from "../../src/util/limiter.ts";
import { reactions } from "./manual-clock.ts";

it("admits up to its limit and serves those who wait in their order", async () => {
  const limiter = new Limiter(10);
  expect(limiter.tryAcquire(6)).toBe(true);
  expect(limiter.tryAcquire(6)).toBe(false);
  const served: string[] = [];
  void limiter.acquire(6).then(() => served.push("large"));
  void limiter.acquire(1).then(() => served.push("small"));
  // The small demand would fit, but may not overtake.
  expect(limiter.tryAcquire(1)).toBe(false);
  await reactions();
  expect(served).toEqual([]);
  limiter.release(6);
  await reactions();
  expect(served).toEqual(["large", "small"]);
  expect(limiter.used).toBe(7);
});

it("admits what is larger than the limit when nothing else is taken", () => {
  const limiter = new Limiter(10);
  expect(limiter.tryAcquire(50)).toBe(true);
  expect(limiter.tryAcquire(1)).toBe(false);
  limiter.release(50);
  expect(limiter.tryAcquire(1)).toBe(true);
  expect(limiter.tryAcquire(50)).toBe(false);
});

it("takes nothing for an aborted wait, and lets the next one in", async () => {
  const limiter = new Limiter(10);
  limiter.tryAcquire(5);
  const abort = new AbortController();
  const large = limiter.acquire(9, abort.signal);
  const small = limiter.acquire(5);
  abort.abort(new Error("enough"));
  await expect(large).rejects.toThrow("enough");
  await small;
  expect([limiter.used, limiter.waiting]).toEqual([10, 0]);
  await expect(limiter.acquire(1, abort.signal)).rejects.toThrow("enough");
});

it("has no bound when the limit is 0, but counts", () => {
  const limiter = new Limiter(0);
  expect(limiter.tryAcquire(1e12)).toBe(true);
  expect(limiter.used).toBe(1e12);
});

it("refuses to take back more than was taken", () => {
  const limiter = new Limiter(10);
  limiter.tryAcquire(3);
  expect(() => limiter.release(4)).toThrow(RangeError);
  expect(limiter.used).toBe(3);
});
