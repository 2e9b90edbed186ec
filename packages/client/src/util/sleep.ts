import type { Clock } from "./clock.ts";

/** Waits so many milliseconds; the process stays alive for it. An aborted wait rejects with the signal's reason. */
export function sleep(ms: number, clock: Clock, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = (): void => {
      clock.clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = clock.setTimeout(
      () => {
        signal?.removeEventListener("abort", onAbort);
        resolve();
      },
      ms,
      true,
    );
    signal?.addEventListener("abort", onAbort);
  });
}
