import type { Parameters } from "fast-check";

/** Properties that share the package's time budget, about. */
const SHARES = 40;

/**
 * Run parameters of one property: as many runs as fit into its share of PULSEWIRE_FUZZ_SECONDS (default 10 for the whole
 * package). Pass `shares` to give a property more than one share.
 */
export function fuzzBudget<T = unknown>(shares = 1): Parameters<T> {
  const seconds = Number(process.env["PULSEWIRE_FUZZ_SECONDS"] ?? 10);
  return {
    numRuns: 1_000_000,
    interruptAfterTimeLimit: Math.max(20, (seconds * 1000 * shares) / SHARES),
  };
}
