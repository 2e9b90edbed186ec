/** What one run of a measured function did. */
export interface Work {
  /** Operations per call: messages, frames, commands. */
  readonly operations: number;
  /** Bytes per call; leave it out where a rate in bytes says nothing. */
  readonly bytes?: number;
}

/** Cost of one operation in CPU time of the process, garbage collection included: the best of all rounds. */
export interface Measurement {
  readonly name: string;
  readonly nanosPerOperation: number;
  /** Undefined where the work named no bytes. */
  readonly megabytesPerSecond: number | undefined;
}

/** How long to measure. */
export interface Effort {
  readonly rounds: number;
  readonly roundMs: number;
}

const DEFAULT_EFFORT: Effort = { rounds: 9, roundMs: 60 };

/** What the measured functions return lands here, so that no call can be dropped as useless. */
export const kept: { value: unknown } = { value: undefined };

/** Measures a function: calls until a round is long enough to be timed, two rounds to warm up, then the best of the rest. */
export function measure(name: string, work: Work, run: () => unknown, effort: Effort = DEFAULT_EFFORT): Measurement {
  let calls = 1;
  while (secondsOf(run, calls) < effort.roundMs / 1000) calls *= 2;
  for (let round = 0; round < 2; round++) secondsOf(run, calls);
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < effort.rounds; round++) best = Math.min(best, secondsOf(run, calls));
  const perCall = best / calls;
  return {
    name,
    nanosPerOperation: (perCall / work.operations) * 1e9,
    megabytesPerSecond: work.bytes === undefined ? undefined : work.bytes / perCall / 1e6,
  };
}

function secondsOf(run: () => unknown, calls: number): number {
  // Garbage of the round before is not this one's cost.
  globalThis.gc?.({ type: "minor", execution: "sync" });
  const before = process.cpuUsage();
  for (let call = 0; call < calls; call++) kept.value = run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}
