import { readFileSync } from "node:fs";

/** One field of a message, as the facts about the protocol describe it. */
export interface FieldDefinition {
  readonly name: string;
  readonly number: number;
  readonly label: "required" | "optional" | "repeated";
  readonly type: string;
  readonly kind?: "enum" | "message";
  readonly default?: string | number | boolean;
  readonly packed?: boolean;
  readonly deprecated?: boolean;
}

/** The protocol's definitions as data: compared with the classes that the Java 4.0.7 release generates. */
export interface Definitions {
  readonly commands: Readonly<
    Record<string, { readonly type: number; readonly field: string; readonly message: string }>
  >;
  readonly messages: Readonly<Record<string, readonly FieldDefinition[]>>;
  readonly enums: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

export const definitions: Definitions = JSON.parse(
  readFileSync(new URL("./data/pulsar-api.json", import.meta.url), "utf8"),
) as Definitions;

export type JsonObject = { readonly [key: string]: JsonValue };
export type JsonValue = string | number | boolean | JsonObject | readonly JsonValue[];

/** The codec's name of a field: camelCase, e.g. `batch_index` is batchIndex. */
export function codecName(name: string): string {
  return name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A decoded message in the form of the vectors: names of the definitions, 64-bit values as text, bytes as hex. */
export function toVectorForm(message: string, value: object): JsonObject {
  const result: Record<string, JsonValue> = {};
  for (const field of fieldsOf(message)) {
    const content: unknown = (value as Record<string, unknown>)[codecName(field.name)];
    if (content === undefined || content === null) continue;
    if (field.label !== "repeated") result[field.name] = toVectorValue(field, content);
    else if ((content as unknown[]).length > 0) {
      result[field.name] = (content as unknown[]).map((item) => toVectorValue(field, item));
    }
  }
  return result;
}

/** The other way: what the encoders take. */
export function fromVectorForm(message: string, json: JsonObject): object {
  const result: Record<string, unknown> = {};
  for (const field of fieldsOf(message)) {
    const content = json[field.name];
    if (content === undefined) continue;
    result[codecName(field.name)] = Array.isArray(content)
      ? content.map((item: JsonValue) => fromVectorValue(field, item))
      : fromVectorValue(field, content);
  }
  return result;
}

function toVectorValue(field: FieldDefinition, value: unknown): JsonValue {
  if (field.kind === "message") return toVectorForm(field.type, value as object);
  if (field.kind === "enum") return enumName(field.type, value as number);
  switch (field.type) {
    case "uint64":
      return BigInt.asUintN(64, BigInt(value as number | bigint)).toString();
    case "int64":
      return (value as number | bigint).toString();
    case "bytes":
      return Buffer.from(value as Uint8Array).toString("hex");
    default:
      return value as string | number | boolean;
  }
}

function fromVectorValue(field: FieldDefinition, value: JsonValue): unknown {
  if (field.kind === "message") return fromVectorForm(field.type, value as JsonObject);
  if (field.kind === "enum") return definitions.enums[field.type]?.[value as string] ?? Number(value);
  switch (field.type) {
    case "uint64":
    case "int64":
      return BigInt(value as string);
    case "bytes":
      return Buffer.from(value as string, "hex");
    default:
      return value;
  }
}

function enumName(type: string, value: number): string | number {
  const found = Object.entries(definitions.enums[type] ?? {}).find(([, number]) => number === value);
  return found?.[0] ?? value;
}

function fieldsOf(message: string): readonly FieldDefinition[] {
  const fields = definitions.messages[message];
  if (fields === undefined) throw new Error(`no definition of ${message}`);
  return fields;
}
