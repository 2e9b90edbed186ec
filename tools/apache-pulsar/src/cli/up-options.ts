import { LauncherError } from "../errors.ts";
import type { StartOptions } from "../standalone/standalone-options.ts";

/** Flags of the command line, as `parseArgs` takes them. */
export const upFlags = {
  help: { type: "boolean", short: "h" },
  port: { type: "string" },
  "http-port": { type: "string" },
  tls: { type: "boolean" },
  token: { type: "boolean" },
  cluster: { type: "string" },
  set: { type: "string", multiple: true },
  dir: { type: "string" },
  keep: { type: "boolean" },
} as const;

/** Flags as `parseArgs` gives them back. */
export interface UpFlagValues {
  readonly port?: string | undefined;
  readonly "http-port"?: string | undefined;
  readonly tls?: boolean | undefined;
  readonly token?: boolean | undefined;
  readonly cluster?: string | undefined;
  readonly set?: readonly string[] | undefined;
  readonly dir?: string | undefined;
  readonly keep?: boolean | undefined;
}

/** What `up` is to start. */
export interface UpOptions {
  readonly port: number;
  readonly httpPort: number;
  /** Number of brokers of a cluster, or undefined for standalone. */
  readonly brokers: number | undefined;
  readonly start: StartOptions;
}

/** Reads the flags of `up`; throws `INVALID_OPTION` naming the flag and what was given. */
export function parseUpOptions(values: UpFlagValues): UpOptions {
  return {
    port: toInteger("--port", values.port, 0, 65_535) ?? 6650,
    httpPort: toInteger("--http-port", values["http-port"], 0, 65_535) ?? 8080,
    brokers: toInteger("--cluster", values.cluster, 1, 8),
    start: {
      tls: values.tls ?? false,
      auth: values.token ?? false,
      dir: values.dir,
      keep: values.keep ?? false,
      config: Object.fromEntries((values.set ?? []).map(toSetting)),
    },
  };
}

function toInteger(flag: string, text: string | undefined, least: number, most: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d+$/u.test(text) ? Number(text) : Number.NaN;
  if (value >= least && value <= most) return value;
  throw new LauncherError("INVALID_OPTION", `${flag} must be an integer from ${least} to ${most}, was "${text}"`);
}

function toSetting(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw new LauncherError("INVALID_OPTION", `--set must be key=value, was "${text}"`);
}
