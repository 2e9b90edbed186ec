import { expect, it } from "vitest";
import { Deadline } from "../src/deadline.ts";

it("ends a pause with ABORTED when the caller gives up", async () => {
  const caller = new AbortController();
  const deadline = new Deadline("the start of it", { signal: caller.signal }, 60_000);
  const pause = deadline.pause(60_000);
  caller.abort(new Error("enough"));
  await expect(pause).rejects.toMatchObject({ code: "ABORTED", message: "the start of it was given up by its caller" });
  expect(deadline.isOver).toBe(true);
});

it("ends a pause with TIMEOUT when the time is over, also where the caller's own time is", async () => {
  const deadline = new Deadline("the start of it", { timeoutMs: 1 }, 60_000);
  await expect(deadline.pause(60_000)).rejects.toMatchObject({
    code: "TIMEOUT",
    message: "the start of it took longer than 1 ms",
  });
  const inner = new Deadline("a part of it", { signal: deadline.signal }, 60_000);
  expect(inner.error()).toMatchObject({ code: "TIMEOUT" });
});

it("refuses a time that is none", () => {
  expect(() => new Deadline("it", { timeoutMs: 0 }, 1)).toThrow("timeoutMs must be a number above 0, was 0");
});
