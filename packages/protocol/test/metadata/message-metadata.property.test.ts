import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type MessageMetadata, pulsar } from "../../src/gen/pulsar-api.js";
import { decodeMessageMetadata } from "../../src/metadata/message-metadata-decoder.ts";
import { encodeMessageMetadata, sizeofMessageMetadata } from "../../src/metadata/message-metadata-encoder.ts";
import { decodeGenerated, encodeGenerated } from "../../src/protobuf/int64-codec.ts";
import { fuzzBudget } from "../fuzz-budget.ts";
import { fieldsOfWire, randomMessage, unknownFields } from "../random-messages.ts";
import { accepts, refusalOf } from "../refusal.ts";
import { definitions, toVectorForm } from "../vectors/definitions.ts";

const values = randomMessage("MessageMetadata") as fc.Arbitrary<MessageMetadata>;

describe("the hand-written codec of MessageMetadata", () => {
  it("writes the bytes of the generated code for any value", () => {
    fc.assert(
      fc.property(values, (metadata) => {
        const encoded = encodeMessageMetadata(metadata);
        expect(encoded.toString("hex")).toBe(
          Buffer.from(encodeGenerated(pulsar.proto.MessageMetadata, metadata)).toString("hex"),
        );
        expect(sizeofMessageMetadata(metadata)).toBe(encoded.length);
      }),
      fuzzBudget(2),
    );
  });

  it("reads what the generated code reads: fields in any order, repeated, among unknown ones", () => {
    const wires = fc.tuple(values, values, fc.subarray([...unknownFields])).chain(([first, second, unknown]) => {
      const fields = [...fieldsOfWire(encodeMessageMetadata(first)), ...unknown];
      return fc.tuple(
        fc.shuffledSubarray(fields, { minLength: fields.length }),
        fc.subarray(fieldsOfWire(encodeMessageMetadata(second))),
      );
    });
    fc.assert(
      fc.property(wires, ([fields, more]) => {
        const bytes = Buffer.concat([...fields, ...more]);
        const padded = Buffer.concat([Buffer.alloc(3, 0xff), bytes, Buffer.alloc(3, 0xff)]);
        expect(toVectorForm("MessageMetadata", decodeMessageMetadata(padded, 3, 3 + bytes.length))).toEqual(
          toVectorForm("MessageMetadata", decodeGenerated(pulsar.proto.MessageMetadata, bytes, 0, bytes.length)),
        );
      }),
      fuzzBudget(2),
    );
  });

  it("accepts and refuses the same mutated bytes as the generated code", () => {
    const mutated = fc
      .tuple(values, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 3 }), fc.nat(4))
      .map(([metadata, changes, cut]) => {
        const bytes = encodeMessageMetadata(metadata);
        for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
        return bytes.subarray(0, Math.max(0, bytes.length - cut));
      });
    fc.assert(
      fc.property(mutated, (bytes) => {
        const own = accepts(() => decodeMessageMetadata(bytes));
        expect(own).toBe(accepts(() => decodeGenerated(pulsar.proto.MessageMetadata, bytes, 0, bytes.length)));
      }),
      fuzzBudget(),
    );
  });

  it("refuses metadata without a required field by name", () => {
    const encoded = encodeMessageMetadata({ producerName: "p", sequenceId: 1, publishTime: 2 });
    const required = definitions.messages["MessageMetadata"]?.filter(({ label }) => label === "required") ?? [];
    expect(required).toHaveLength(3);
    for (const { number } of required) {
      const rest = fieldsOfWire(encoded).filter((field) => (field[0] ?? 0) >> 3 !== number);
      expect(refusalOf(() => decodeMessageMetadata(Buffer.concat(rest))).code).toBe("MISSING_FIELD");
    }
  });
});

it("gives the right producer name when names of equal length alternate", () => {
  for (const producerName of ["one", "two", "one", "", "six", "six", "a".repeat(300), "b".repeat(300), "two"]) {
    const encoded = encodeMessageMetadata({ producerName, sequenceId: 1, publishTime: 2 });
    expect(decodeMessageMetadata(encoded).producerName).toBe(producerName);
  }
});

it("keeps a producer name though the buffer it came in is overwritten", () => {
  const encoded = encodeMessageMetadata({ producerName: "producer-1", sequenceId: 1, publishTime: 2 });
  const copy = Buffer.from(encoded);
  expect(decodeMessageMetadata(encoded).producerName).toBe("producer-1");
  encoded.fill(0x78);
  expect(decodeMessageMetadata(copy).producerName).toBe("producer-1");
});
