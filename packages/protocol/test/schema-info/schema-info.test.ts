import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  packKeyValue,
  packKeyValueSchema,
  unpackKeyValue,
  unpackKeyValueSchema,
} from "../../src/schema-info/key-value-schema.ts";
import type { SchemaInfo } from "../../src/schema-info/schema-info.ts";
import { SCHEMA_TYPES, schemaTypeFromWire, schemaTypeToWire } from "../../src/schema-info/schema-type.ts";
import { schemaVersionFromBytes, schemaVersionToBytes } from "../../src/schema-info/schema-version.ts";

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));
const refusal = expect.objectContaining({ name: "ProtocolError", code: "INVALID_SCHEMA" });

describe("schema types", () => {
  it("have the numbers of the protocol definition", () => {
    const { enums } = JSON.parse(readFileSync(new URL("../vectors/data/pulsar-api.json", import.meta.url), "utf8")) as {
      readonly enums: { readonly "Schema.Type": Readonly<Record<string, number>> };
    };
    const plain = (name: string): string => name.replaceAll("_", "").toUpperCase().replace("BOOLEAN", "BOOL");
    const own = Object.fromEntries(SCHEMA_TYPES.map((type) => [plain(type), schemaTypeToWire(type)]));
    const defined = Object.entries(enums["Schema.Type"]).map(([name, number]) => [plain(name), number]);
    expect(own).toEqual(Object.fromEntries(defined));
    for (const type of SCHEMA_TYPES) expect(schemaTypeFromWire(schemaTypeToWire(type))).toBe(type);
    expect(() => schemaTypeFromWire(22)).toThrow(refusal);
  });
});

describe("schema versions", () => {
  it("are eight bytes, big-endian", () => {
    expect(schemaVersionToBytes(258n)).toEqual(bytes("0000000000000102"));
    for (const version of [0n, 1n, 2n ** 62n, -1n])
      expect(schemaVersionFromBytes(schemaVersionToBytes(version))).toBe(version);
    expect(schemaVersionFromBytes(bytes("ff0000000000000001ff").subarray(1, 9))).toBe(1n);
  });

  it("are absent when there are no bytes, and nothing else", () => {
    expect(schemaVersionFromBytes(new Uint8Array(0))).toBeUndefined();
    expect(() => schemaVersionFromBytes(bytes("0001"))).toThrow(refusal);
  });
});

describe("key-value bytes", () => {
  it.each([
    ["6b", "7676", "000000016b000000027676"],
    ["", "", "0000000000000000"],
    [null, "76", "ffffffff0000000176"],
    ["6b", null, "000000016bffffffff"],
    [null, null, "ffffffffffffffff"],
  ])("join %s and %s", (key, value, joined) => {
    const parts = { key: key === null ? null : bytes(key), value: value === null ? null : bytes(value) };
    expect(packKeyValue(parts)).toEqual(bytes(joined));
    expect(unpackKeyValue(bytes(joined))).toEqual(parts);
  });

  it.each([
    "",
    "000000",
    "00000002",
    "000000026b",
    "000000016b",
    "000000016b0000",
    "000000016b00000001",
    "fffffffe00000000",
    "000000000000000000",
  ])("refuse %j", (hex) => {
    expect(() => unpackKeyValue(bytes(hex))).toThrow(refusal);
  });
});

describe("key-value schemas", () => {
  const key: SchemaInfo = { name: "String", type: "STRING", schemaData: new Uint8Array(0), properties: {} };
  const value: SchemaInfo = { name: "v", type: "AVRO", schemaData: bytes("7b7d"), properties: { a: "b" } };

  it("survive packing", () => {
    const packed = packKeyValueSchema({ key, value, encodingType: "SEPARATED" });
    expect(packed.properties).toMatchObject({
      "kv.encoding.type": "SEPARATED",
      "value.schema.properties": '{"a":"b"}',
    });
    expect(unpackKeyValueSchema(packed)).toEqual({ key, value, encodingType: "SEPARATED" });
  });

  it("are inline and of bytes where nothing else is said", () => {
    const bare: SchemaInfo = {
      name: "",
      type: "KEY_VALUE",
      schemaData: packKeyValue({ key: null, value: null }),
      properties: {},
    };
    expect(unpackKeyValueSchema(bare)).toMatchObject({
      encodingType: "INLINE",
      key: { type: "NONE" },
      value: { type: "NONE" },
    });
    const named = { ...bare, properties: { "key.schema.type": "BYTES" } };
    expect(unpackKeyValueSchema(named).key.type).toBe("NONE");
  });

  it.each([
    ["another type", { type: "AVRO" as const }],
    ["an unknown part type", { properties: { "key.schema.type": "COBOL" } }],
    ["an unknown encoding", { properties: { "kv.encoding.type": "BOTH" } }],
    ["properties that are no object", { properties: { "value.schema.properties": "[1]" } }],
    ["properties that are no JSON", { properties: { "value.schema.properties": "{" } }],
  ])("refuse %s", (_, changes) => {
    const info = { ...packKeyValueSchema({ key, value, encodingType: "INLINE" }), ...changes };
    expect(() => unpackKeyValueSchema(info)).toThrow(refusal);
  });
});
