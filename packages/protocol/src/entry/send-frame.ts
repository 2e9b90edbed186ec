import type { BatchPayload } from "../batch/batch-writer.ts";
import { crc32c } from "../checksum/crc32c.ts";
import { beginCommand } from "../command/encode-command.ts";
import { writeSend } from "../command/hot-encoders.ts";
import { MAGIC_CRC32C } from "../frame/payload-part.ts";
import type { CommandSend, MessageMetadata } from "../gen/pulsar-api.js";
import { writeMessageMetadata } from "../metadata/message-metadata-encoder.ts";
import { ProtoWriter } from "../protobuf/proto-writer.ts";
import { copyBytes, writeUint32 } from "../protobuf/raw-bytes.ts";

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
  const magicAt = writeHead(send, metadata);
  const headSize = scratch.pos;
  if (payload instanceof Uint8Array) {
    const frame = Buffer.allocUnsafe(headSize + payload.length);
    frame.set(payload, headSize);
    return complete(frame, headSize, magicAt);
  }
  const { buffer, start, end, headroom } = payload;
  if (headSize <= headroom) return complete(buffer.subarray(start - headSize, end), headSize, magicAt);
  const frame = Buffer.allocUnsafeSlow(headSize + end - start);
  buffer.copy(frame, headSize, start, end);
  return complete(frame, headSize, magicAt);
}

/**
 * Writes everything before the payload into the scratch, all but total size and checksum, and returns where the magic
 * number stands.
 */
function writeHead(send: CommandSend, metadata: MessageMetadata): number {
  scratch.pos = 8;
  const mark = beginCommand(scratch, "SEND");
  writeSend(scratch, send);
  scratch.end(mark);
  const magicAt = scratch.pos;
  scratch.ensure(10);
  scratch.pos = magicAt + 10;
  writeMessageMetadata(scratch, metadata);
  const { buffer, pos } = scratch;
  writeUint32(buffer, 4, magicAt - 8);
  buffer[magicAt] = MAGIC_CRC32C >>> 8;
  buffer[magicAt + 1] = MAGIC_CRC32C & 0xff;
  writeUint32(buffer, magicAt + 6, pos - magicAt - 10);
  return magicAt;
}

/** Copies the head from the scratch before the payload and fills in total size and checksum. */
function complete(frame: Buffer, headSize: number, magicAt: number): Buffer {
  copyBytes(scratch.buffer, 0, headSize, frame, 0);
  writeUint32(frame, 0, frame.length - 4);
  writeUint32(frame, magicAt + 2, crc32c(frame, magicAt + 6, frame.length));
  return frame;
}
