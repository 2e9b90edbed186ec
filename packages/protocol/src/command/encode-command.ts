import { encodeFrame } from "../frame/frame-encoder.ts";
import { type BaseCommand, pulsar } from "../gen/pulsar-api.js";
import { encodeGenerated } from "../protobuf/int64-codec.ts";
import { ProtoWriter } from "../protobuf/proto-writer.ts";
import { copyBytes, writeUint32 } from "../protobuf/raw-bytes.ts";
import { COMMANDS, type CommandBodies, type CommandType } from "./command.ts";
import { writeAck, writeFlow, writeMessage, writeSend, writeSendReceipt } from "./hot-encoders.ts";

const hotWriters: { readonly [T in CommandType]?: (writer: ProtoWriter, body: CommandBodies[T]) => void } = {
  SEND: writeSend,
  SEND_RECEIPT: writeSendReceipt,
  MESSAGE: writeMessage,
  ACK: writeAck,
  FLOW: writeFlow,
};

const scratch = new ProtoWriter(1024);

/**
 * Encodes a command as a whole frame, without payload part.
 *
 * @throws ProtocolError `INVALID_ARGUMENT` for a 64-bit field that is neither number nor bigint.
 */
export function encodeCommand<T extends CommandType>(type: T, body: CommandBodies[T]): Buffer {
  const writeHot = hotWriters[type] as ((writer: ProtoWriter, body: CommandBodies[T]) => void) | undefined;
  if (writeHot === undefined) return encodeFrame(encodeBaseCommand(type, body));
  scratch.pos = 8;
  const mark = beginCommand(scratch, type);
  writeHot(scratch, body);
  scratch.end(mark);
  const { buffer, pos } = scratch;
  const frame = Buffer.allocUnsafe(pos);
  copyBytes(buffer, 8, pos, frame, 8);
  writeUint32(frame, 0, pos - 4);
  writeUint32(frame, 4, pos - 8);
  return frame;
}

/** Encodes a BaseCommand by the generated code, without sizes. */
export function encodeBaseCommand<T extends CommandType>(type: T, body: CommandBodies[T]): Uint8Array {
  const { number, field } = COMMANDS[type];
  const base = { type: number, [field]: body } as unknown as BaseCommand;
  return encodeGenerated(pulsar.proto.BaseCommand, base);
}

/** Writes type and tag of a hot command; the body follows, then `writer.end(mark)`. */
export function beginCommand(writer: ProtoWriter, type: CommandType): number {
  const { number } = COMMANDS[type];
  writer.uint32Field(0x08, number);
  return writer.begin((number << 3) | 2);
}
