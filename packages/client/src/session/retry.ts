import type { Clock, Random } from "../util/clock.ts";
import { sleep } from "../util/sleep.ts";
import { Backoff, type BackoffOptions } from "./backoff.ts";
import { isFinal } from "./retry-policy.ts";

/** How often and how long to try. */
export interface RetryOptions {
  /** Milliseconds after which no further try begins. */
  readonly timeoutMs: number;
  readonly backoff: BackoffOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Tries something until it succeeds, fails for good, or the time is up; rejects with the last error then. What is tried
 * must have a deadline of its own.
 */
export async function retry<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  const { clock, signal } = options;
  const deadline = clock.monotonicNow() + options.timeoutMs;
  const delays = new Backoff(options.backoff, options.random);
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (isFinal(error, true)) throw error;
      const remainingMs = deadline - clock.monotonicNow();
      if (remainingMs < options.backoff.initialMs) throw error;
      // As a session does: tries near the end of the time allowed, however long the delays have grown.
      await sleep(Math.min(delays.next(), Math.ceil(remainingMs / 2)), clock, signal);
    }
  }
}
