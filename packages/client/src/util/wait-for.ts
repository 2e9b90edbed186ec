import type { Clock } from "./clock.ts";

/** How long and how patiently to wait. */
export interface WaitOptions {
  /** Gives up when aborted, rejecting with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Gives up after so many milliseconds; for ever without it. */
  readonly timeoutMs?: number | undefined;
  /** What to reject with after the timeout. */
  readonly onTimeout: () => Error;
  readonly clock: Clock;
}

/**
 * Waits for a promise, but no longer than the options allow. The promise goes on by itself when the wait is given up;
 * its later rejection is swallowed.
 */
export function waitFor<T>(promise: Promise<T>, options: WaitOptions): Promise<T> {
  const { signal, timeoutMs, clock } = options;
  if (signal === undefined && timeoutMs === undefined) return promise;
  return new Promise<T>((resolve, reject) => {
    const finish = (): void => {
      clock.clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    };
    const onAbort = (): void => {
      finish();
      reject(signal?.reason);
    };
    const timer =
      timeoutMs === undefined
        ? undefined
        : clock.setTimeout(() => {
            finish();
            reject(options.onTimeout());
          }, timeoutMs);
    promise.then(
      (value) => {
        finish();
        resolve(value);
      },
      (error: unknown) => {
        finish();
        reject(error);
      },
    );
    if (signal?.aborted) onAbort();
    else signal?.addEventListener("abort", onAbort);
  });
}
