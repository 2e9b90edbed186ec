import fc from "fast-check";
import { codecName, definitions, type FieldDefinition } from "./vectors/definitions.ts";

const int64 = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(
    0n,
    1n,
    -1n,
    2n ** 31n,
    2n ** 32n,
    2n ** 53n - 1n,
    2n ** 53n,
    -(2n ** 53n),
    2n ** 63n - 1n,
    -(2n ** 63n),
  ),
  fc.nat(1000).map(BigInt),
);
const int32 = fc.oneof(fc.integer(), fc.nat(300), fc.constantFrom(-1, 2 ** 31 - 1, -(2 ** 31)));
// Whole UTF-16: unpaired surrogates too, which become U+FFFD on the wire. Longer than 42 and 127 units as well.
const text = fc.oneof(
  fc.string({ unit: "binary", maxLength: 60 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)), maxLength: 60 }),
  fc.string({ unit: fc.constantFrom("a", "é", "€", "😀", "\ud800", "\udc00"), maxLength: 150 }),
);
const bytes = fc.uint8Array({ maxLength: 200 });

/**
 * Random values of a message of the protocol, each optional field there or not. 64-bit values may be bigints that are not
 * canonical; enums may hold numbers that no version has.
 */
export function randomMessage(message: string, depth = 0): fc.Arbitrary<object> {
  const fields = definitions.messages[message];
  if (fields === undefined) throw new Error(`no definition of ${message}`);
  const kept = fields.filter((field) => field.kind !== "message" || depth < 2);
  const model = Object.fromEntries(kept.map((field) => [codecName(field.name), fieldValue(field, depth)]));
  const requiredKeys = kept.filter(({ label }) => label === "required").map(({ name }) => codecName(name));
  return fc.record(model, { requiredKeys });
}

function fieldValue(field: FieldDefinition, depth: number): fc.Arbitrary<unknown> {
  const single = singleValue(field, depth);
  return field.label === "repeated" ? fc.array(single, { minLength: 1, maxLength: 5 }) : single;
}

function singleValue(field: FieldDefinition, depth: number): fc.Arbitrary<unknown> {
  if (field.kind === "message") return randomMessage(field.type, depth + 1);
  if (field.kind === "enum") return fc.oneof(fc.nat(8), int32);
  switch (field.type) {
    case "uint64":
    case "int64":
      return int64;
    case "uint32":
      return int32.map((value) => value >>> 0);
    case "int32":
      return int32;
    case "bool":
      return fc.boolean();
    case "string":
      return text;
    case "bytes":
      return bytes;
    default:
      throw new Error(`no random values of ${field.type}`);
  }
}

/** Fields that no version of the protocol has: each wire type, a group with a field inside. */
export const unknownFields: readonly Buffer[] = [
  "f83f05", // field 1023, varint
  "f93f0102030405060708", // 64 bits
  "fa3f03616263", // bytes
  "fb3f08011203616263fc3f", // a group
  "fd3f01020304", // 32 bits
].map((hex) => Buffer.from(hex, "hex"));

/** Cuts an encoded message into its top-level fields. */
export function fieldsOfWire(encoded: Uint8Array): Buffer[] {
  const buffer = Buffer.from(encoded);
  const fields: Buffer[] = [];
  let pos = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = buffer[pos++] ?? 0;
      if (shift < 28) value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  while (pos < buffer.length) {
    const start = pos;
    const wireType = varint() & 7;
    if (wireType === 0) varint();
    else if (wireType === 2) {
      const length = varint();
      pos += length;
    } else throw new Error(`wire type ${wireType} is not used by the protocol`);
    fields.push(buffer.subarray(start, pos));
  }
  return fields;
}
