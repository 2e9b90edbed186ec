import { ProtocolError } from "../errors.ts";

/** The wire's numbers of the schema types under the names of the Java client and the admin REST API. */
const WIRE_NUMBERS = {
  NONE: 0,
  STRING: 1,
  JSON: 2,
  PROTOBUF: 3,
  AVRO: 4,
  BOOLEAN: 5,
  INT8: 6,
  INT16: 7,
  INT32: 8,
  INT64: 9,
  FLOAT: 10,
  DOUBLE: 11,
  DATE: 12,
  TIME: 13,
  TIMESTAMP: 14,
  KEY_VALUE: 15,
  INSTANT: 16,
  LOCAL_DATE: 17,
  LOCAL_TIME: 18,
  LOCAL_DATE_TIME: 19,
  PROTOBUF_NATIVE: 20,
  AUTO_CONSUME: 21,
} as const;

/** Type of a schema. `NONE` stands for plain bytes. */
export type SchemaType = keyof typeof WIRE_NUMBERS;

const NAMES: ReadonlyMap<number, SchemaType> = new Map(
  (Object.keys(WIRE_NUMBERS) as SchemaType[]).map((type) => [WIRE_NUMBERS[type], type]),
);

/** All schema types, by ascending wire number. */
export const SCHEMA_TYPES: readonly SchemaType[] = [...NAMES.values()];

/** The wire number of a schema type. */
export function schemaTypeToWire(type: SchemaType): number {
  return WIRE_NUMBERS[type];
}

/**
 * The schema type of a wire number.
 *
 * @throws ProtocolError `INVALID_SCHEMA` for a number that this version does not know
 */
export function schemaTypeFromWire(number: number): SchemaType {
  const type = NAMES.get(number);
  if (type === undefined) throw new ProtocolError("INVALID_SCHEMA", `schema type ${number} is not known`);
  return type;
}

/** True when a text is the name of a schema type. */
export function isSchemaType(text: string): text is SchemaType {
  return Object.hasOwn(WIRE_NUMBERS, text);
}
