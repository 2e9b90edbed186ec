import { fileURLToPath } from "node:url";
import protobuf from "protobufjs";
import { expect, it } from "vitest";
import { COMMANDS } from "../../src/command/command.ts";
import { codecName, definitions, type FieldDefinition } from "./definitions.ts";

const root = new protobuf.Root();
root.loadSync(
  ["PulsarApi.proto", "PulsarMarkers.proto"].map((file) =>
    fileURLToPath(new URL(`../../../../proto/${file}`, import.meta.url)),
  ),
  { keepCase: true },
);
root.resolveAll();

const messages: Record<string, FieldDefinition[]> = {};
const enums: Record<string, Record<string, number>> = {};
collect(root.lookup("pulsar.proto") as protobuf.Namespace);

function collect(namespace: protobuf.Namespace): void {
  for (const nested of namespace.nestedArray) {
    const name = nested.fullName.replace(".pulsar.proto.", "");
    if (nested instanceof protobuf.Enum) enums[name] = { ...nested.values };
    if (nested instanceof protobuf.Type) messages[name] = nested.fieldsArray.map(describeField);
    if (nested instanceof protobuf.Namespace) collect(nested);
  }
}

function describeField(field: protobuf.Field): FieldDefinition {
  const { resolvedType, options } = field;
  return {
    name: field.name,
    number: field.id,
    label: field.repeated ? "repeated" : field.required ? "required" : "optional",
    type: resolvedType === null ? field.type : resolvedType.fullName.replace(".pulsar.proto.", ""),
    ...(resolvedType === null ? {} : { kind: resolvedType instanceof protobuf.Enum ? "enum" : "message" }),
    ...(options?.["default"] === undefined ? {} : { default: options["default"] as string }),
    ...(options?.["deprecated"] === true ? { deprecated: true } : {}),
  };
}

/** What the comparison leaves out: `packed: false` is the rule of the definitions, not a property of a field. */
function comparable(fields: readonly FieldDefinition[]): readonly object[] {
  return fields.map(({ packed: _packed, ...field }) => field);
}

it("defines every enum with every number", () => {
  expect(enums).toEqual(definitions.enums);
});

it("defines every message", () => {
  expect(Object.keys(messages).sort()).toEqual(Object.keys(definitions.messages).sort());
});

it.each(Object.keys(definitions.messages))("defines every field of %s", (name) => {
  expect(comparable(messages[name] ?? [])).toEqual(comparable(definitions.messages[name] ?? []));
});

it("packs no repeated field", () => {
  const packed = Object.values(definitions.messages)
    .flat()
    .filter((field) => field.packed === true);
  expect(packed).toEqual([]);
});

it("knows every command with its number and its field", () => {
  const expected = Object.fromEntries(
    Object.entries(definitions.commands).map(([name, { type, field }]) => [
      name,
      { number: type, field: codecName(field) },
    ]),
  );
  expect(COMMANDS).toEqual(expected);
});
