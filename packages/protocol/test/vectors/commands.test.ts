import { describe, expect, it } from "vitest";
import { COMMANDS, type CommandBodies, type CommandType } from "../../src/command/command.ts";
import { decodeCommand } from "../../src/command/decode-command.ts";
import { encodeBaseCommand, encodeCommand } from "../../src/command/encode-command.ts";
import { definitions, fromVectorForm, type JsonObject, toVectorForm } from "./definitions.ts";
import { knownVectors, type Vector, vectorsByCapture } from "./vectors.ts";

/** Holds a field that the definitions do not have, on purpose. */
const WITH_UNKNOWN_FIELD = "handmade/unknown-field/003-PING";

function commandBytes(vector: Vector): Buffer {
  const frame = Buffer.from(vector.hex, "hex");
  return frame.subarray(8, 8 + frame.readUInt32BE(4));
}

function bodyOf(command: JsonObject): {
  readonly type: CommandType;
  readonly message: string;
  readonly body: JsonObject;
} {
  const type = command["type"] as CommandType;
  const definition = definitions.commands[type];
  if (definition === undefined) throw new Error(`no command ${type}`);
  return { type, message: definition.message, body: command[definition.field] as JsonObject };
}

describe.each([...vectorsByCapture.keys()])("commands of %s", (capture) => {
  const vectors = knownVectors.filter((vector) => vectorsByCapture.get(capture)?.includes(vector));

  it("decode to their decoded form", () => {
    for (const vector of vectors) {
      const { type, message, body } = bodyOf(vector.decoded.command);
      const command = decodeCommand(commandBytes(vector));
      expect(command.type, vector.name).toBe(type);
      expect(toVectorForm(message, command.body), vector.name).toEqual(body);
    }
  });

  it("encode back to their bytes by the hand-written and by the generated code", () => {
    for (const vector of vectors) {
      if (vector.name === WITH_UNKNOWN_FIELD) continue;
      const { type, message, body } = bodyOf(vector.decoded.command);
      const value = fromVectorForm(message, body) as CommandBodies[CommandType];
      const expected = commandBytes(vector).toString("hex");
      expect(encodeCommand(type, value).subarray(8).toString("hex"), vector.name).toBe(expected);
      expect(Buffer.from(encodeBaseCommand(type, value)).toString("hex"), vector.name).toBe(expected);
    }
  });

  it("survive decoding and encoding", () => {
    for (const vector of vectors) {
      if (vector.name === WITH_UNKNOWN_FIELD) continue;
      const { type, body } = decodeCommand(commandBytes(vector));
      expect(encodeCommand(type, body).subarray(8).toString("hex"), vector.name).toBe(
        commandBytes(vector).toString("hex"),
      );
    }
  });
});

it("skips a field that the definitions do not have", () => {
  const vector = knownVectors.find(({ name }) => name === WITH_UNKNOWN_FIELD);
  expect(vector).not.toBeUndefined();
  if (vector !== undefined) expect(decodeCommand(commandBytes(vector)).type).toBe("PING");
});

it("refuses the command type that nobody knows", () => {
  const unknown = [...vectorsByCapture.values()].flat().filter((vector) => vector.decoded === null);
  expect(unknown.map(({ name }) => name)).toEqual(["handmade/unknown-command/003-UNDECODABLE"]);
  for (const vector of unknown) {
    expect(() => decodeCommand(commandBytes(vector))).toThrowError(
      expect.objectContaining({ code: "UNKNOWN_COMMAND", reason: "command type 200 is not known" }),
    );
  }
});

it("has vectors for the commands that clients and brokers exchange", () => {
  const seen = new Set(knownVectors.map((vector) => vector.decoded.command.type));
  const unseen = Object.keys(COMMANDS).filter((type) => !seen.has(type));
  // Sent between brokers only, or by no client in the captures.
  expect(unseen.sort()).toEqual(
    [
      "END_TXN_ON_PARTITION",
      "END_TXN_ON_PARTITION_RESPONSE",
      "END_TXN_ON_SUBSCRIPTION",
      "END_TXN_ON_SUBSCRIPTION_RESPONSE",
    ].sort(),
  );
});
