import type { BatchPayload } from "../batch/batch-writer.ts";
import { crc32c } from "../checksum/crc32c.ts";
import { beginCommand } from "../command/encode-command.ts";
import { writeSend } from "../command/hot-encoders.ts";
import { MAGIC_CRC32C } from "../frame/payload-part.ts";
import type { CommandSend, MessageMetadata } from "../gen/pulsar-api.js";
import { writeMessageMetadata } from "../metadata/message-metadata-encoder.ts";
import { ProtoWriter } from "../protobuf/proto-writer.ts";

const scratch = new ProtoWriter(2048);

/**
 * Encodes a SEND frame with its checksum. A batch is framed in place, in the memory of its container, when the head fits
 * into the container's headroom; anything else is copied into one new buffer.
 *
 * The frame may be sent again as it is: nothing in it depends on the connection.
 */
export function encodeSendFrame(
  send: CommandSend,
  metadata: MessageMetadata,
  payload: Uint8Array | BatchPayload,
): Buffer {
  scratch.pos = 0;
  const mark = beginCommand(scratch, "SEND");
  writeSend(scratch, send);
  scratch.end(mark);
  const commandSize = scratch.pos;
  writeMessageMetadata(scratch, metadata);
  const metadataSize = scratch.pos - commandSize;
  // total size, command size, command, magic, checksum, metadata size, metadata
  const headSize = 18 + commandSize + metadataSize;
  if (payload instanceof Uint8Array) {
    const frame = Buffer.allocUnsafe(headSize + payload.length);
    frame.set(payload, headSize);
    return writeHead(frame, commandSize, metadataSize);
  }
  const { buffer, start, end, headroom } = payload;
  if (headSize <= headroom) return writeHead(buffer.subarray(start - headSize, end), commandSize, metadataSize);
  const frame = Buffer.allocUnsafeSlow(headSize + end - start);
  buffer.copy(frame, headSize, start, end);
  return writeHead(frame, commandSize, metadataSize);
}

/** Fills in everything before the payload from the scratch, then the checksum. */
function writeHead(frame: Buffer, commandSize: number, metadataSize: number): Buffer {
  const { buffer } = scratch;
  frame.writeUInt32BE(frame.length - 4, 0);
  frame.writeUInt32BE(commandSize, 4);
  buffer.copy(frame, 8, 0, commandSize);
  const magicAt = 8 + commandSize;
  frame.writeUInt16BE(MAGIC_CRC32C, magicAt);
  frame.writeUInt32BE(metadataSize, magicAt + 6);
  buffer.copy(frame, magicAt + 10, commandSize, commandSize + metadataSize);
  frame.writeUInt32BE(crc32c(frame, magicAt + 6, frame.length), magicAt + 2);
  return frame;
}
