import { ProtocolError } from "../errors.ts";
import { type BaseCommand, pulsar } from "../gen/pulsar-api.js";
import { decodeGenerated } from "../protobuf/int64-codec.ts";
import { ProtoReader } from "../protobuf/proto-reader.ts";
import { COMMANDS, type Command, type CommandType } from "./command.ts";
import { readAck, readFlow, readMessage, readSend, readSendReceipt } from "./hot-decoders.ts";

const typesByNumber = new Map<number, CommandType>(
  (Object.keys(COMMANDS) as CommandType[]).map((type) => [COMMANDS[type].number, type]),
);

const reader = new ProtoReader();

/**
 * Decodes the BaseCommand in a range of bytes. Unknown fields of newer peers are skipped and unknown enum numbers kept.
 * `bytes` fields are views of the buffer.
 *
 * @throws ProtocolError `UNKNOWN_COMMAND` for a type that protocol version 21 does not have, `MISSING_FIELD` for a command
 *   without its body or a required field, `INVALID_PROTOBUF` for anything malformed.
 */
export function decodeCommand(buffer: Uint8Array, start = 0, end: number = buffer.length): Command {
  return decodeHot(buffer, start, end) ?? decodeAny(buffer, start, end);
}

/** Decodes a hot command that stands alone and in the usual order; undefined for everything else. */
function decodeHot(buffer: Uint8Array, start: number, end: number): Command | undefined {
  // 08 <type> <field tag> <length>: as every client writes it.
  if (end - start < 4 || buffer[start] !== 0x08) return undefined;
  const type = buffer[start + 1] as number;
  if (buffer[start + 2] !== ((type << 3) | 2)) return undefined;
  if (type !== 6 && type !== 7 && type !== 9 && type !== 10 && type !== 11) return undefined;
  reader.reset(buffer, start + 3, end);
  if (reader.fieldEnd() !== end) return undefined;
  switch (type) {
    case 6:
      return { type: "SEND", body: readSend(reader) };
    case 7:
      return { type: "SEND_RECEIPT", body: readSendReceipt(reader) };
    case 9:
      return { type: "MESSAGE", body: readMessage(reader) };
    case 10:
      return { type: "ACK", body: readAck(reader) };
    case 11:
      return { type: "FLOW", body: readFlow(reader) };
  }
}

function decodeAny(buffer: Uint8Array, start: number, end: number): Command {
  const base: BaseCommand = decodeGenerated(pulsar.proto.BaseCommand, buffer, start, end);
  const type = typesByNumber.get(base.type);
  if (type === undefined) {
    throw new ProtocolError("UNKNOWN_COMMAND", `command type ${base.type} is not known`, { offset: start });
  }
  const body: unknown = base[COMMANDS[type].field as keyof BaseCommand];
  if (body === undefined || body === null) {
    throw new ProtocolError("MISSING_FIELD", `command ${type} has no body`, { offset: start });
  }
  return { type, body } as Command;
}
