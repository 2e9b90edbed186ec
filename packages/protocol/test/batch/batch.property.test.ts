import fc from "fast-check";
import { expect, it } from "vitest";
import { BatchReader } from "../../src/batch/batch-reader.ts";
import { BatchWriter } from "../../src/batch/batch-writer.ts";
import { readSingleMessageMetadata, type SingleMessageFields } from "../../src/batch/single-message-metadata.ts";
import { pulsar, type SingleMessageMetadata } from "../../src/gen/pulsar-api.js";
import { decodeGenerated, encodeGenerated } from "../../src/protobuf/int64-codec.ts";
import { ProtoReader } from "../../src/protobuf/proto-reader.ts";
import { fuzzBudget } from "../fuzz-budget.ts";
import { fieldsOfWire, randomMessage, unknownFields } from "../random-messages.ts";
import { accepts } from "../refusal.ts";
import { toVectorForm } from "../vectors/definitions.ts";

const messages = fc.array(fc.tuple(randomMessage("SingleMessageMetadata"), fc.uint8Array({ maxLength: 60 })), {
  maxLength: 6,
}) as fc.Arbitrary<[SingleMessageFields, Uint8Array][]>;

function pack(batch: readonly [SingleMessageFields, Uint8Array][]): BatchWriter {
  const writer = new BatchWriter(8);
  for (const [fields, payload] of batch) writer.add(fields, payload);
  return writer;
}

it("packs any messages as the generated code does and unpacks them again", () => {
  fc.assert(
    fc.property(messages, (batch) => {
      const container = pack(batch).bytes();
      const expected = batch.map(([fields, payload]) => {
        const metadata = encodeGenerated(pulsar.proto.SingleMessageMetadata, {
          ...fields,
          payloadSize: payload.length,
        });
        const size = Buffer.alloc(4);
        size.writeUInt32BE(metadata.length);
        return Buffer.concat([size, metadata, payload]);
      });
      expect(container.toString("hex")).toBe(Buffer.concat(expected).toString("hex"));
      const reader = new BatchReader(container, batch.length);
      for (const [fields, payload] of batch) {
        const single = reader.next() as SingleMessageMetadata;
        const sent = encodeGenerated(pulsar.proto.SingleMessageMetadata, { ...fields, payloadSize: payload.length });
        expect(toVectorForm("SingleMessageMetadata", single)).toEqual(
          toVectorForm(
            "SingleMessageMetadata",
            decodeGenerated(pulsar.proto.SingleMessageMetadata, sent, 0, sent.length),
          ),
        );
        expect(Buffer.compare(reader.payload(), payload)).toBe(0);
      }
      expect(reader.next()).toBeUndefined();
    }),
    fuzzBudget(2),
  );
});

it("reads single-message metadata as the generated code does: any order, repeated, unknown fields", () => {
  const wires = fc
    .tuple(
      randomMessage("SingleMessageMetadata"),
      randomMessage("SingleMessageMetadata"),
      fc.subarray([...unknownFields]),
    )
    .chain(([first, second, unknown]) => {
      const [a, b] = [first, second].map((value) =>
        fieldsOfWire(encodeGenerated(pulsar.proto.SingleMessageMetadata, value as SingleMessageMetadata)),
      );
      const fields = [...(a ?? []), ...unknown];
      return fc.tuple(fc.shuffledSubarray(fields, { minLength: fields.length }), fc.subarray(b ?? []));
    });
  fc.assert(
    fc.property(wires, ([fields, more]) => {
      const bytes = Buffer.concat([...fields, ...more]);
      const own = readSingleMessageMetadata(new ProtoReader().reset(bytes, 0, bytes.length));
      expect(toVectorForm("SingleMessageMetadata", own)).toEqual(
        toVectorForm(
          "SingleMessageMetadata",
          decodeGenerated(pulsar.proto.SingleMessageMetadata, bytes, 0, bytes.length),
        ),
      );
    }),
    fuzzBudget(2),
  );
});

it("gives messages inside the container or a typed error for mutated and for random bytes", () => {
  const mutated = fc
    .tuple(messages, fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 4 }))
    .map(([batch, changes]) => {
      const container = Buffer.from(pack(batch).bytes());
      for (const [at, byte] of changes) container[at % Math.max(1, container.length)] = byte;
      return container;
    });
  fc.assert(
    fc.property(fc.oneof(mutated, fc.uint8Array({ maxLength: 80 })), fc.nat(12), (container, count) => {
      accepts(() => {
        const reader = new BatchReader(container, count);
        for (let seen = 0; reader.next() !== undefined; seen++) {
          expect(seen).toBeLessThan(count);
          expect(reader.payloadEnd).toBeLessThanOrEqual(container.length);
          expect(reader.payloadStart).toBeLessThanOrEqual(reader.payloadEnd);
        }
      });
    }),
    fuzzBudget(2),
  );
});
