import { readFileSync } from "node:fs";

/** The parts of a recorded payload frame that tests of payload formats look at. */
export interface PayloadVector {
  readonly name: string;
  readonly hex: string;
  readonly decoded: {
    readonly metadata?: {
      readonly compression?: string;
      readonly uncompressed_size?: number;
      readonly encryption_keys?: readonly { readonly key: string; readonly value: string }[];
      readonly encryption_param?: string;
      readonly num_chunks_from_msg?: number;
    };
  };
  readonly payload_text?: string;
  readonly payload_hex?: string;
  readonly plain_hex?: string;
  readonly decrypt?: { readonly data_key_hex: string };
}

/** The payload frames of some files of vectors. */
export function payloadVectors(...files: readonly string[]): PayloadVector[] {
  return files
    .flatMap((file) => JSON.parse(readFileSync(new URL(`./data/${file}`, import.meta.url), "utf8")) as PayloadVector[])
    .filter((vector) => vector.decoded?.metadata !== undefined);
}

/** The bytes behind the metadata of a payload frame. */
export function payloadBytes(vector: PayloadVector): Uint8Array {
  const frame = Buffer.from(vector.hex, "hex");
  let at = 8 + frame.readUInt32BE(4);
  if (frame.readUInt16BE(at) === 0x0e02) at += 6 + frame.readUInt32BE(at + 2);
  if (frame.readUInt16BE(at) === 0x0e01) at += 6;
  return Uint8Array.from(frame.subarray(at + 4 + frame.readUInt32BE(at)));
}

/** The payload or batch container that the other client started from, where it was recorded. */
export function plainBytes(vector: PayloadVector): Uint8Array | undefined {
  if (vector.plain_hex !== undefined) return Uint8Array.from(Buffer.from(vector.plain_hex, "hex"));
  if (vector.payload_hex !== undefined) return Uint8Array.from(Buffer.from(vector.payload_hex, "hex"));
  return vector.payload_text === undefined ? undefined : Uint8Array.from(Buffer.from(vector.payload_text));
}
