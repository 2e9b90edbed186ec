import { expect, it } from "vitest";
import { decodeCommand } from "../../src/command/decode-command.ts";
import { encodeCommand } from "../../src/command/encode-command.ts";
import { serverErrorName } from "../../src/command/enums.ts";
import { refusalOf } from "../refusal.ts";

it.each([
  ["nothing", "", "MISSING_FIELD"],
  ["a type without body", "0806", "MISSING_FIELD"],
  ["a type that protocol version 21 does not have", "0863", "UNKNOWN_COMMAND"],
  ["the body of another type", "08065a020801", "MISSING_FIELD"],
  ["a body that runs past the end", "0807 3a 7f 0801", "INVALID_PROTOBUF"],
  ["a varint that runs past the end", "0807 3a 02 08ff", "INVALID_PROTOBUF"],
  ["a varint of eleven bytes", "0807 3a 0c 08 ffffffffffffffffffff01", "INVALID_PROTOBUF"],
  ["a nested id that runs past its command", "0809 4a 04 0801 127f", "INVALID_PROTOBUF"],
  ["wire type 6", "0807 3a 02 3e00", "INVALID_PROTOBUF"],
  ["field number 0", "0807 3a 02 0000", "INVALID_PROTOBUF"],
  ["a group that never ends", "0807 3a 02 2b08", "INVALID_PROTOBUF"],
  ["a group that ends as another", "0807 3a 06 0801 1001 2b 34", "INVALID_PROTOBUF"],
  ["a fixed field that runs past the end", "0807 3a 02 2900", "INVALID_PROTOBUF"],
])("refuses %s", (_, hex, code) => {
  expect(refusalOf(() => decodeCommand(Buffer.from(hex.replaceAll(" ", ""), "hex"))).code).toBe(code);
});

it("refuses ids that are nested without end", () => {
  const plain = Buffer.from("08011001", "hex");
  let id = plain;
  for (let level = 0; level < 20; level++) id = Buffer.concat([plain, Buffer.from([0x3a]), varint(id.length), id]);
  const body = Buffer.concat([Buffer.from([0x08, 1, 0x12]), varint(id.length), id]);
  const command = Buffer.concat([Buffer.from([0x08, 9, 0x4a]), varint(body.length), body]);
  expect(refusalOf(() => decodeCommand(command)).code).toBe("INVALID_PROTOBUF");
});

it("names the offset of a malformation", () => {
  const command = Buffer.from("0807 3a 02 08ff".replaceAll(" ", ""), "hex");
  expect(refusalOf(() => decodeCommand(command)).offset).toBe(5);
});

it("decodes a hot command whose fields come in another order by the generated code", () => {
  const frame = encodeCommand("FLOW", { consumerId: 3, messagePermits: 500 });
  const [type, body] = [frame.subarray(8, 10), frame.subarray(10)];
  expect(decodeCommand(Buffer.concat([body, type]))).toMatchObject({
    type: "FLOW",
    body: { consumerId: 3, messagePermits: 500 },
  });
});

it("keeps enum numbers that it does not know", () => {
  const frame = encodeCommand("ERROR", { requestId: 1, error: 99, message: "new" });
  const command = decodeCommand(frame, 8);
  expect(command.type === "ERROR" && command.body.error).toBe(99);
  expect(serverErrorName(99)).toBe("UnknownServerError(99)");
  expect(serverErrorName(6)).toBe("ServiceNotReady");
});

it("refuses to encode a 64-bit field that is neither number nor bigint", () => {
  const requestId = "1" as unknown as number;
  expect(refusalOf(() => encodeCommand("SUCCESS", { requestId })).code).toBe("INVALID_ARGUMENT");
});

function varint(value: number): Buffer {
  return value < 0x80
    ? Buffer.from([value])
    : Buffer.concat([Buffer.from([(value & 0x7f) | 0x80]), varint(value >> 7)]);
}
