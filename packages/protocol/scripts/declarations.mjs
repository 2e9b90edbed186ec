// Writes the TypeScript declarations of the generated codec from the parsed definitions: one interface a message,
// one constant object and union an enum, and the codec objects behind `pulsar.proto`.

const scalars = {
  double: "number",
  float: "number",
  int32: "number",
  uint32: "number",
  bool: "boolean",
  string: "string",
  bytes: "Uint8Array",
  int64: "Int64",
  uint64: "Int64",
};

/** @returns {string} the text of pulsar-api.d.ts */
export function declarations(root) {
  const lines = [
    'import type { Reader, Writer } from "protobufjs/minimal.js";',
    'import type { Int64 } from "../int64/int64.js";',
    "",
    "/** Encodes and decodes one message type. */",
    "export interface MessageCodec<T> {",
    "  encode(message: T, writer: Writer): Writer;",
    "  decode(reader: Reader, length?: number): T;",
    "}",
    "",
  ];
  const namespace = root.lookup("pulsar.proto");
  const enums = [];
  const types = [];
  collect(namespace, enums, types);
  for (const type of enums) lines.push(...enumDeclaration(type));
  for (const type of types) lines.push(...interfaceDeclaration(type));
  lines.push("export declare const pulsar: {", "  readonly proto: {");
  for (const type of namespace.nestedArray) lines.push(`    readonly ${type.name}: ${codecType(type)};`);
  lines.push("  };", "};", "");
  return lines.join("\n");
}

function codecType(type) {
  if (!type.fieldsArray) return `${flatName(type)}Values`;
  const enums = type.nestedArray.map((nested) => `readonly ${nested.name}: ${flatName(nested)}Values`);
  return `MessageCodec<${type.name}>${enums.length > 0 ? ` & { ${enums.join("; ")} }` : ""}`;
}

function collect(namespace, enums, types) {
  for (const nested of namespace.nestedArray) {
    if (nested.fieldsArray) types.push(nested);
    else if (nested.values) enums.push(nested);
    if (nested.nestedArray) collect(nested, enums, types);
  }
}

/** `CommandSubscribe.SubType` becomes CommandSubscribeSubType: the declarations are flat. */
function flatName(type) {
  return type.fullName.replace(/^\.pulsar\.proto\./, "").replaceAll(".", "");
}

function enumDeclaration(type) {
  const name = flatName(type);
  return [
    ...comment(type.comment, ""),
    `export interface ${name}Values {`,
    ...Object.entries(type.values).map(([key, number]) => `  readonly ${key}: ${number};`),
    "}",
    ...comment(type.comment, ""),
    `export type ${name} = ${name}Values[keyof ${name}Values];`,
    "",
  ];
}

function interfaceDeclaration(type) {
  const lines = [...comment(type.comment, ""), `export interface ${flatName(type)} {`];
  for (const field of [...type.fieldsArray].sort((a, b) => a.id - b.id)) {
    lines.push(...comment(fieldComment(field), "  "), `  readonly ${field.name}${member(field)};`);
  }
  lines.push("}", "");
  return lines;
}

function fieldComment(field) {
  const value = field.options?.default;
  const fallback = value === undefined || field.required ? "" : `Means ${value} when absent.`;
  return [field.comment, fallback].filter(Boolean).join(" ");
}

function member(field) {
  const base = fieldType(field);
  if (field.repeated) return `?: readonly ${base.includes("|") ? `(${base})` : base}[] | undefined`;
  return field.required ? `: ${base}` : `?: ${base} | undefined`;
}

function fieldType(field) {
  const scalar = scalars[field.type];
  if (scalar !== undefined) return scalar;
  const name = flatName(field.resolvedType);
  // Open enums: a newer broker may send a number that these definitions do not have.
  return field.resolvedType.values ? `${name} | (number & {})` : name;
}

function comment(text, indent) {
  return text ? [`${indent}/** ${text.replaceAll("\n", " ")} */`] : [];
}
