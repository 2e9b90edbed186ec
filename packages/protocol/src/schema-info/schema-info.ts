import type { SchemaType } from "./schema-type.ts";

/** A schema as it is declared to the broker. */
export interface SchemaInfo {
  /** Any text; the broker answers with `tenant/namespace/topic`. */
  readonly name: string;
  readonly type: SchemaType;
  /**
   * The definition: an Avro record in UTF-8 JSON for `AVRO` and `JSON`, both schemas for `KEY_VALUE` (see
   * `packKeyValue`), empty for primitives.
   */
  readonly schemaData: Uint8Array;
  readonly properties: Readonly<Record<string, string>>;
}
