import { setTimeout as sleep } from "node:timers/promises";
import { LauncherError } from "./errors.ts";

/** How long a call may take, and how its caller gives it up. */
export interface WaitOptions {
  /** Gives the call up: it fails with code `ABORTED`. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds after which the call fails with code `TIMEOUT`. The default stands at each call. */
  readonly timeoutMs?: number | undefined;
}

/** The end of a wait: the caller's signal or a time, whichever comes first. */
export class Deadline {
  /** Aborts when the wait is over, for whatever takes a signal. */
  readonly signal: AbortSignal;
  readonly #what: string;
  readonly #timeoutMs: number;
  readonly #caller: AbortSignal | undefined;

  /** `what` completes the sentence "... was given up" in the error, e.g. `the start of broker 1`. */
  constructor(what: string, options: WaitOptions, defaultTimeoutMs: number) {
    const timeoutMs = options.timeoutMs ?? defaultTimeoutMs;
    if (!Number.isFinite(timeoutMs) || timeoutMs <= 0) {
      throw new LauncherError("INVALID_OPTION", `timeoutMs must be a number above 0, was ${String(timeoutMs)}`);
    }
    this.#what = what;
    this.#timeoutMs = timeoutMs;
    this.#caller = options.signal;
    const timer = AbortSignal.timeout(Math.min(Math.ceil(timeoutMs), 2 ** 31 - 1));
    this.signal = options.signal === undefined ? timer : AbortSignal.any([options.signal, timer]);
  }

  /** True once the wait is over. */
  get isOver(): boolean {
    return this.signal.aborted;
  }

  /** Throws {@link error} once the wait is over. */
  check(): void {
    if (this.signal.aborted) throw this.error();
  }

  /** The error that ends the wait; `details` are added to its message. */
  error(details?: string): LauncherError {
    const tail = details === undefined ? "" : `\n${details}`;
    const reason: unknown = this.#caller?.reason;
    // A caller that is itself out of time passes that on as a signal.
    const isTimeout = reason instanceof Error && reason.name === "TimeoutError";
    if (this.#caller?.aborted === true && !isTimeout) {
      return new LauncherError("ABORTED", `${this.#what} was given up by its caller${tail}`, {
        cause: reason,
      });
    }
    return new LauncherError("TIMEOUT", `${this.#what} took longer than ${this.#timeoutMs} ms${tail}`);
  }

  /** Waits `ms` milliseconds, or throws {@link error} as soon as the wait is over. */
  async pause(ms: number): Promise<void> {
    this.check();
    try {
      await sleep(ms, undefined, { signal: this.signal });
    } catch {
      throw this.error();
    }
  }
}
