import { readdirSync, readFileSync } from "node:fs";
import type { JsonObject } from "./definitions.ts";

/** A frame that a real client and a real broker exchanged; README of the vectors' folder explains the fields. */
export interface Vector {
  readonly name: string;
  readonly client: string;
  readonly hex: string;
  readonly error?: string;
  readonly decoded: {
    readonly command: JsonObject & { readonly type: string };
    readonly broker_entry_metadata?: JsonObject;
    readonly checksum?: string;
    readonly checksum_ok?: boolean;
    readonly metadata?: JsonObject;
    readonly payload_length?: number;
  } | null;
  readonly payload_text?: string;
  readonly payload_hex?: string;
  readonly plain_hex?: string;
  readonly batch?: readonly BatchedVector[];
  readonly decrypt?: { readonly data_key_hex: string };
}

export interface BatchedVector {
  readonly single_metadata: JsonObject;
  readonly payload_text?: string;
  readonly payload_hex?: string;
}

const folder = new URL("./data/", import.meta.url);
const captures = readdirSync(folder).filter((file) => /^(java|go|cpp|handmade)-.*\.json$/.test(file));

/** All vectors, by the name of their capture. */
export const vectorsByCapture: ReadonlyMap<string, readonly Vector[]> = new Map(
  captures.map((file) => [
    file.replace(".json", ""),
    JSON.parse(readFileSync(new URL(file, folder), "utf8")) as readonly Vector[],
  ]),
);

/** Vectors that hold a command of the definition. */
export const knownVectors: readonly (Vector & { readonly decoded: NonNullable<Vector["decoded"]> })[] = [
  ...vectorsByCapture.values(),
]
  .flat()
  .filter((vector): vector is Vector & { decoded: NonNullable<Vector["decoded"]> } => vector.decoded !== null);

/** The application payload that a vector names; undefined where it names none. */
export function payloadOf(vector: {
  readonly payload_text?: string;
  readonly payload_hex?: string;
}): Buffer | undefined {
  if (vector.payload_hex !== undefined) return Buffer.from(vector.payload_hex, "hex");
  return vector.payload_text === undefined ? undefined : Buffer.from(vector.payload_text);
}
