/** What a peer's program is asked to measure; it gets this as JSON in its first argument. */
export interface Job {
  readonly kind: "produce" | "consume";
  readonly serviceUrl: string;
  readonly topic: string;
  /** Of a consumer; each run has one of its own, from the beginning of the topic. */
  readonly subscription: string;
  readonly sizeBytes: number;
  readonly batched: boolean;
  /** Most sends without a receipt. */
  readonly openSends: number;
  /** What comes before the measurement: messages, seconds, or whichever ends first. 0 for no limit of that kind. */
  readonly warmUpMessages: number;
  readonly warmUpSeconds: number;
  /** What is measured: messages, seconds, or whichever ends first. 0 for no limit of that kind. */
  readonly messages: number;
  readonly seconds: number;
}

/** What it prints as JSON on one line. */
export interface Outcome {
  readonly messages: number;
  readonly seconds: number;
  /** CPU time of the process in the measured part, all threads. */
  readonly cpuSeconds: number;
  /** From send to receipt; 0 for a consumer. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of the whole process, warm-up included. */
  readonly peakRssMb: number;
}

/** Reads an outcome from what a program printed. */
export function parseOutcome(text: string): Outcome {
  const line = text.trim().split("\n").at(-1) ?? "";
  const value = JSON.parse(line) as Partial<Record<keyof Outcome, unknown>>;
  const number = (name: keyof Outcome): number => {
    const figure = value[name];
    if (typeof figure !== "number") throw new Error(`no ${name} in ${line}`);
    return figure;
  };
  return {
    messages: number("messages"),
    seconds: number("seconds"),
    cpuSeconds: number("cpuSeconds"),
    p50Ms: number("p50Ms"),
    p99Ms: number("p99Ms"),
    peakRssMb: number("peakRssMb"),
  };
}
