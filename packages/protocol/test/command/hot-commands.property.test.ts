import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COMMANDS, type CommandBodies, type CommandType } from "../../src/command/command.ts";
import { decodeCommand } from "../../src/command/decode-command.ts";
import { encodeBaseCommand, encodeCommand } from "../../src/command/encode-command.ts";
import { pulsar } from "../../src/gen/pulsar-api.js";
import { decodeGenerated } from "../../src/protobuf/int64-codec.ts";
import { ProtoWriter } from "../../src/protobuf/proto-writer.ts";
import { fuzzBudget } from "../fuzz-budget.ts";
import { fieldsOfWire, randomMessage, unknownFields } from "../random-messages.ts";
import { definitions, toVectorForm } from "../vectors/definitions.ts";

const hotTypes: readonly CommandType[] = ["SEND", "SEND_RECEIPT", "MESSAGE", "ACK", "FLOW"];

function messageOf(type: CommandType): string {
  const definition = definitions.commands[type];
  if (definition === undefined) throw new Error(`no command ${type}`);
  return definition.message;
}

/** A BaseCommand around a body as it may stand on the wire. */
function wrap(type: CommandType, body: Uint8Array): Buffer {
  const writer = new ProtoWriter(64);
  const { number } = COMMANDS[type];
  writer.int32Field(0x08, number);
  writer.bytesField((number << 3) | 2, body);
  return Buffer.from(writer.buffer.subarray(0, writer.pos));
}

function decodedByGenerated(type: CommandType, bytes: Buffer): object {
  const base: object = decodeGenerated(pulsar.proto.BaseCommand, bytes, 0, bytes.length);
  return toVectorForm(messageOf(type), (base as Record<string, object>)[COMMANDS[type].field] ?? {});
}

describe.each(hotTypes)("the hand-written codec of %s", (type) => {
  const bodies = randomMessage(messageOf(type)) as fc.Arbitrary<CommandBodies[CommandType]>;

  it("writes the bytes of the generated code for any value", () => {
    fc.assert(
      fc.property(bodies, (body) => {
        const frame = encodeCommand(type, body);
        expect(frame.readUInt32BE(0)).toBe(frame.length - 4);
        expect(frame.readUInt32BE(4)).toBe(frame.length - 8);
        expect(frame.subarray(8).toString("hex")).toBe(Buffer.from(encodeBaseCommand(type, body)).toString("hex"));
      }),
      fuzzBudget(),
    );
  });

  it("reads what the generated code reads: fields in any order, repeated, among unknown ones", () => {
    const wires = fc
      .tuple(bodies, bodies, fc.subarray([...unknownFields]))
      .chain(([body, again, unknown]) => {
        const [first, second] = [body, again].map((value) => {
          const encoded = encodeCommand(type, value).subarray(8);
          return fieldsOfWire(bodyBytes(encoded));
        });
        return fc.tuple(
          fc.shuffledSubarray([...(first ?? []), ...unknown], { minLength: (first?.length ?? 0) + unknown.length }),
          fc.subarray(second ?? []),
        );
      })
      .map(([fields, more]) => Buffer.concat([...fields, ...more]));
    fc.assert(
      fc.property(wires, fc.nat(7), (wire, offset) => {
        const bytes = wrap(type, wire);
        const padded = Buffer.concat([Buffer.alloc(offset, 0xff), bytes, Buffer.alloc(3, 0xff)]);
        const command = decodeCommand(padded, offset, offset + bytes.length);
        expect(command.type).toBe(type);
        expect(toVectorForm(messageOf(type), command.body)).toEqual(decodedByGenerated(type, bytes));
      }),
      fuzzBudget(2),
    );
  });

  it("refuses a body without a required field by name", () => {
    const required = definitions.messages[messageOf(type)]?.filter(({ label }) => label === "required") ?? [];
    for (let missing = 0; missing < required.length; missing++) {
      fc.assert(
        fc.property(bodies, (body) => {
          const fields = fieldsOfWire(bodyBytes(encodeCommand(type, body).subarray(8)));
          const tag = required[missing]?.number ?? 0;
          const rest = fields.filter((field) => (field[0] ?? 0) >> 3 !== tag);
          expect(() => decodeCommand(wrap(type, Buffer.concat(rest)))).toThrowError(
            expect.objectContaining({ code: "MISSING_FIELD" }),
          );
        }),
        { numRuns: 20 },
      );
    }
  });
});

/** The body inside an encoded BaseCommand: its last field. */
function bodyBytes(base: Buffer): Buffer {
  const field = fieldsOfWire(base)[1] ?? Buffer.alloc(0);
  let at = 1;
  while (((field[at] ?? 0) & 0x80) !== 0) at++;
  return field.subarray(at + 1);
}
