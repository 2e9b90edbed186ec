import { expect, it } from "vitest";
import { type Logger, safeLogger, silentLogger } from "../../src/util/logger.ts";
import { reactions } from "./manual-clock.ts";

it("hands every line on, with its level, to the logger as its own method", () => {
  const lines: unknown[] = [];
  class Recorder implements Logger {
    readonly #lines = lines;
    debug(...line: unknown[]): void {
      this.#lines.push(["debug", ...line]);
    }
    info(...line: unknown[]): void {
      this.#lines.push(["info", ...line]);
    }
    warn(...line: unknown[]): void {
      this.#lines.push(["warn", ...line]);
    }
    error(...line: unknown[]): void {
      this.#lines.push(["error", ...line]);
    }
  }
  const logger = safeLogger(new Recorder());
  for (const level of ["debug", "info", "warn", "error"] as const) logger[level]("m", { level });
  expect(lines).toEqual([
    ["debug", "m", { level: "debug" }],
    ["info", "m", { level: "info" }],
    ["warn", "m", { level: "warn" }],
    ["error", "m", { level: "error" }],
  ]);
});

it("keeps to itself what a logger throws or rejects with", async () => {
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown): void => void unhandled.push(error);
  process.on("unhandledRejection", onUnhandled);
  const logger = safeLogger({
    ...silentLogger,
    debug: () => {
      throw new Error("disk full");
    },
    info: (() => Promise.reject(new Error("disk full"))) as Logger["info"],
  });
  logger.debug("m");
  logger.info("m");
  await reactions();
  process.off("unhandledRejection", onUnhandled);
  expect(unhandled).toEqual([]);
});
