import { parseArgs } from "node:util";
import { CASES, type Case } from "./cases.ts";
import { PEER_NAMES } from "./peers.ts";

/** What to measure. */
export interface Plan {
  readonly rounds: number;
  readonly seconds: number;
  readonly cases: readonly Case[];
  readonly withMemory: boolean;
  readonly peers: readonly string[];
  /** Measure against a broker that runs already. */
  readonly serviceUrl: string | undefined;
}

const MEMORY = "memory";

/** Reads the command line. Throws an error that tells what may be given. */
export function parsePlan(args: readonly string[]): Plan {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: "string", default: "3" },
      seconds: { type: "string", default: "3" },
      cases: { type: "string" },
      peers: { type: "string" },
      "service-url": { type: "string" },
    },
  });
  const wanted = list(values.cases, [...CASES.map(({ name }) => name), MEMORY], "case");
  const peers = list(values.peers, PEER_NAMES, "client");
  return {
    rounds: positive("rounds", values.rounds),
    seconds: positive("seconds", values.seconds),
    cases: CASES.filter(({ name }) => wanted.includes(name)),
    withMemory: values.cases !== undefined && wanted.includes(MEMORY),
    // Ours is always there, and the one that the others are compared with where it was asked for.
    peers: PEER_NAMES.filter((name) => name === "pulsewire" || peers.includes(name)),
    serviceUrl: values["service-url"],
  };
}

function list(text: string | undefined, known: readonly string[], what: string): readonly string[] {
  if (text === undefined) return known;
  const names = text.split(",");
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Error(`no ${what} ${unknown.join(", ")}; there are ${known.join(", ")}`);
  return names;
}

function positive(name: string, text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new Error(`--${name} must be a positive number, got ${text}`);
  return value;
}
