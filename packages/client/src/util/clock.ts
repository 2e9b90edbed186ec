/** A pending timer of a {@link Clock}; opaque to its holder. */
export type Timer = object;

/**
 * Time as this package sees it. Passed in everywhere, so that tests move it by hand.
 * A timer does not keep the process alive: that is the business of open sockets. The exceptions are waits between two
 * sockets, which say so.
 */
export interface Clock {
  /** Milliseconds since 1970. May jump when the computer's time is set: for timestamps only. */
  now(): number;
  /** Milliseconds since some fixed moment, never going back: for durations and deadlines. */
  monotonicNow(): number;
  /**
   * Calls `fn` once after `ms` milliseconds, or after 2^31 - 1, about 25 days, if that is less.
   *
   * @param keepsProcess the process must not end before that, default false: e.g. the wait before the next attempt to
   *   connect, when no socket is open
   */
  setTimeout(fn: () => void, ms: number, keepsProcess?: boolean): Timer;
  /** Forgets a timer; harmless when it has fired or is undefined. */
  clearTimeout(timer: Timer | undefined): void;
}

// Largest delay of a timer, about 25 days.
const MAX_TIMER_MS = 2_147_483_647;

/** The computer's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonicNow: () => performance.now(),
  setTimeout: (fn, ms, keepsProcess = false) => {
    // Node takes a longer time for 1 ms.
    const timer = setTimeout(fn, Math.min(ms, MAX_TIMER_MS));
    return keepsProcess ? timer : timer.unref();
  },
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout | undefined),
};

/** A number from 0 (included) to 1 (excluded), as Math.random gives; passed in so that tests choose it. */
export type Random = () => number;
