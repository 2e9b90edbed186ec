import type { Schema as WireSchema } from "@pulsewire/protocol";

/**
 * How values become payloads and payloads become values, and what the broker is told about it. The type parameter goes
 * from the producer's `send` to the consumer's `message.value`.
 */
export interface Schema<T> {
  /** Sent in PRODUCER and SUBSCRIBE; undefined for raw bytes, of which the broker is told nothing. */
  readonly info: WireSchema | undefined;
  /** @throws anything; the caller gets SchemaSerializationError with it as cause */
  encode(value: T): Uint8Array;
  /**
   * @param data payload; a view, to be copied if it is kept
   * @param schemaVersion version of the schema it was written with, where the producer said so
   * @throws anything; the caller gets SchemaSerializationError with it as cause
   */
  decode(data: Uint8Array, schemaVersion?: Uint8Array): T;
}

/** The built-in schemas. */
export interface BuiltInSchemas {
  /** Payloads as they are: nothing is encoded, decoded or declared. The default. */
  readonly bytes: Schema<Uint8Array>;
  /** Text in UTF-8, declared to the broker as type String. */
  readonly string: Schema<string>;
}

// SchemaType.String of the protocol.
const STRING_TYPE = 1;

const bytes: Schema<Uint8Array> = {
  info: undefined,
  encode: (value) => {
    if (!(value instanceof Uint8Array)) throw new TypeError(`expected a Uint8Array, got ${typeof value}`);
    return value;
  },
  decode: (data) => data,
};

const string: Schema<string> = {
  info: { name: "String", schemaData: new Uint8Array(), type: STRING_TYPE },
  encode: (value) => {
    if (typeof value !== "string") throw new TypeError(`expected a string, got ${typeof value}`);
    return Buffer.from(value, "utf8");
  },
  decode: (data) => Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("utf8"),
};

/** The built-in schemas, e.g. `Schema.string`. */
export const Schema: BuiltInSchemas = { bytes, string };
