import type { Random } from "../util/clock.ts";

/** How delays between attempts grow. */
export interface BackoffOptions {
  /** Milliseconds before the second attempt. Default 100, at least 1. */
  readonly initialMs: number;
  /** Milliseconds that no delay exceeds. Default 60 000, at least initialMs. */
  readonly maxMs: number;
}

/** Java's delays: 100 ms doubling to a minute. */
export const DEFAULT_BACKOFF: BackoffOptions = { initialMs: 100, maxMs: 60_000 };

// Java shortens each delay by up to a tenth.
const JITTER = 0.1;

/** Delays that double from the initial to the maximum, each shortened by up to a tenth so that clients spread out. */
export class Backoff {
  readonly #options: BackoffOptions;
  readonly #random: Random;
  #nextMs: number;

  constructor(options: BackoffOptions, random: Random) {
    this.#options = options;
    this.#random = random;
    this.#nextMs = options.initialMs;
  }

  /** Milliseconds to wait now; the next call gives about twice as much. */
  next(): number {
    const ms = this.#nextMs;
    this.#nextMs = Math.min(ms * 2, this.#options.maxMs);
    return ms - Math.floor(ms * JITTER * this.#random());
  }

  /** Starts over from the initial delay. */
  reset(): void {
    this.#nextMs = this.#options.initialMs;
  }
}
