import { parseArgs } from "node:util";

/** What the command line asks for. */
export interface Options {
  /** How long to publish. */
  readonly seconds: number;
  /** Samples per second. */
  readonly rate: number;
}

/** A command line that cannot be used; the message says why. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Shown for `--help`. */
export const usage: string = `Publishes this computer's telemetry to Apache Pulsar, watches it for alerts, and replays it as a chart.

  --seconds N   how long to publish, 1 to 86400 (20)
  --rate N      samples per second, 0.1 to 100 (1)
  --help        this text

PULSAR_SERVICE_URL names a broker to use (PULSAR_TOKEN its token); without it a real Apache Pulsar is started.`;

/** Reads the command line; undefined where it asks for help. */
export function readOptions(args: readonly string[]): Options | undefined {
  const options = { seconds: { type: "string" }, rate: { type: "string" }, help: { type: "boolean" } } as const;
  let values: { readonly seconds?: string; readonly rate?: string; readonly help?: boolean };
  try {
    ({ values } = parseArgs({ args: [...args], options }));
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause });
  }
  if (values.help === true) return undefined;
  return {
    seconds: readNumber("--seconds", values.seconds ?? "20", 1, 86_400),
    rate: readNumber("--rate", values.rate ?? "1", 0.1, 100),
  };
}

function readNumber(name: string, text: string, min: number, max: number): number {
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (value >= min && value <= max) return value;
  throw new UsageError(`${name} must be a number from ${min} to ${max}, was ${JSON.stringify(text)}`);
}
