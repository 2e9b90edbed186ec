import { ProtocolError } from "../errors.ts";
import type { SchemaInfo } from "./schema-info.ts";
import { isSchemaType, type SchemaType } from "./schema-type.ts";

/** `INLINE`: key and value in the payload. `SEPARATED`: key as the message's key, value as the payload. */
export type KeyValueEncodingType = "INLINE" | "SEPARATED";

/** Two parts, either of which may be absent (null). */
export interface KeyValueBytes {
  readonly key: Uint8Array | null;
  readonly value: Uint8Array | null;
}

/** A key-value schema taken apart. */
export interface KeyValueSchema {
  readonly key: SchemaInfo;
  readonly value: SchemaInfo;
  readonly encodingType: KeyValueEncodingType;
}

const ENCODING_TYPE = "kv.encoding.type";
const ABSENT = -1;

/**
 * Joins a key and a value: an INLINE payload, or the definition of a key-value schema.
 *
 * | size | meaning |
 * | --- | --- |
 * | 4 | length of the key, big-endian, -1 for none |
 * | n | key |
 * | 4 | length of the value, -1 for none |
 * | m | value |
 */
export function packKeyValue({ key, value }: KeyValueBytes): Uint8Array {
  const keyBytes = key?.length ?? 0;
  const bytes = new Uint8Array(8 + keyBytes + (value?.length ?? 0));
  const view = new DataView(bytes.buffer);
  view.setInt32(0, key === null ? ABSENT : keyBytes);
  if (key !== null) bytes.set(key, 4);
  view.setInt32(4 + keyBytes, value === null ? ABSENT : value.length);
  if (value !== null) bytes.set(value, 8 + keyBytes);
  return bytes;
}

/**
 * Takes apart what {@link packKeyValue} joined. The parts are views.
 *
 * @throws ProtocolError `INVALID_SCHEMA` when lengths and bytes do not agree
 */
export function unpackKeyValue(bytes: Uint8Array): KeyValueBytes {
  const key = readPart(bytes, 0);
  const valueAt = 4 + (key?.length ?? 0);
  const value = readPart(bytes, valueAt);
  const end = valueAt + 4 + (value?.length ?? 0);
  if (end !== bytes.length) {
    throw new ProtocolError("INVALID_SCHEMA", `${bytes.length - end} bytes behind key and value`, { offset: end });
  }
  return { key, value };
}

function readPart(bytes: Uint8Array, at: number): Uint8Array | null {
  if (bytes.length - at < 4) throw new ProtocolError("INVALID_SCHEMA", "no room for a length", { offset: at });
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getInt32(at);
  if (length === ABSENT) return null;
  if (length < 0 || length > bytes.length - at - 4) {
    throw new ProtocolError("INVALID_SCHEMA", `part of ${length} bytes runs past the end`, { offset: at });
  }
  return bytes.subarray(at + 4, at + 4 + length);
}

/** The schema that is declared for a pair of schemas, as the Java client declares it. */
export function packKeyValueSchema({ key, value, encodingType }: KeyValueSchema): SchemaInfo {
  return {
    name: "KeyValue",
    type: "KEY_VALUE",
    schemaData: packKeyValue({ key: key.schemaData, value: value.schemaData }),
    properties: {
      "key.schema.name": key.name,
      "key.schema.properties": JSON.stringify(key.properties),
      "key.schema.type": key.type,
      [ENCODING_TYPE]: encodingType,
      "value.schema.name": value.name,
      "value.schema.properties": JSON.stringify(value.properties),
      "value.schema.type": value.type,
    },
  };
}

/**
 * Takes a declared key-value schema apart. Without a stated encoding type it is INLINE.
 *
 * @throws ProtocolError `INVALID_SCHEMA`
 */
export function unpackKeyValueSchema(info: SchemaInfo): KeyValueSchema {
  if (info.type !== "KEY_VALUE") throw new ProtocolError("INVALID_SCHEMA", `${info.type} is no key-value schema`);
  const { key, value } = unpackKeyValue(info.schemaData);
  const encodingType = info.properties[ENCODING_TYPE] ?? "INLINE";
  if (encodingType !== "INLINE" && encodingType !== "SEPARATED") {
    throw new ProtocolError("INVALID_SCHEMA", `${ENCODING_TYPE} must be INLINE or SEPARATED, got ${encodingType}`);
  }
  return { key: partOf(info, "key", key), value: partOf(info, "value", value), encodingType };
}

function partOf(info: SchemaInfo, part: "key" | "value", schemaData: Uint8Array | null): SchemaInfo {
  const of = (what: string): string | undefined => info.properties[`${part}.schema.${what}`];
  return {
    name: of("name") ?? "",
    type: readType(part, of("type")),
    schemaData: schemaData ?? new Uint8Array(0),
    properties: readProperties(part, of("properties") ?? "{}"),
  };
}

function readType(part: string, text = "NONE"): SchemaType {
  // The Java client's name for plain bytes.
  if (text === "BYTES") return "NONE";
  if (isSchemaType(text)) return text;
  throw new ProtocolError("INVALID_SCHEMA", `${part}.schema.type ${JSON.stringify(text)} is not known`);
}

function readProperties(part: string, text: string): Record<string, string> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) throw new TypeError("no object");
    return Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, String(value)]));
  } catch (cause) {
    throw new ProtocolError("INVALID_SCHEMA", `${part}.schema.properties are no JSON object`, { cause });
  }
}
