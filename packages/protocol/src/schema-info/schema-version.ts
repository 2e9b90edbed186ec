import { ProtocolError } from "../errors.ts";

const VERSION_BYTES = 8;

/** A schema's version as the broker counts it, from 0, to the eight bytes that metadata and commands carry. */
export function schemaVersionToBytes(version: bigint): Uint8Array {
  const bytes = new Uint8Array(VERSION_BYTES);
  new DataView(bytes.buffer).setBigInt64(0, version);
  return bytes;
}

/**
 * The version that eight bytes stand for. No bytes, which mean that there is no schema, give undefined.
 *
 * @throws ProtocolError `INVALID_SCHEMA` for another number of bytes
 */
export function schemaVersionFromBytes(bytes: Uint8Array): bigint | undefined {
  if (bytes.length === 0) return undefined;
  if (bytes.length !== VERSION_BYTES) {
    throw new ProtocolError("INVALID_SCHEMA", `schema version has ${bytes.length} bytes instead of ${VERSION_BYTES}`);
  }
  return new DataView(bytes.buffer, bytes.byteOffset, VERSION_BYTES).getBigInt64(0);
}
