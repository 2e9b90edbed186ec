import { ProtoWriter } from "../protobuf/proto-writer.ts";
import { writeUint32 } from "../protobuf/raw-bytes.ts";
import { type SingleMessageFields, writeSingleMessageMetadata } from "./single-message-metadata.ts";

/**
 * A batch container ready to be framed. The `headroom` bytes before `start` belong to the frame encoder: it puts the
 * frame's head there instead of copying the messages once more.
 */
export interface BatchPayload {
  readonly buffer: Buffer;
  readonly start: number;
  readonly end: number;
  readonly headroom: number;
}

/** Room for a frame head with an ordinary metadata: sizes, SEND, checksum, producer name, key, ids. */
const HEADROOM_BYTES = 512;

/**
 * Packs messages into a batch container:
 *
 * | size | meaning               |                |
 * | ---- | --------------------- | -------------- |
 * | 4    | metadata size         | once a message |
 * | n    | SingleMessageMetadata |                |
 * | n    | payload               |                |
 *
 * Compression and encryption apply to the container as a whole. A writer makes one batch: its memory goes with the frame,
 * and may serve another writer once nobody reads that frame any more.
 */
export class BatchWriter {
  readonly #writer: ProtoWriter;
  #count = 0;

  /**
   * @param room to begin with: a number of bytes for the container, or the {@link BatchWriter.memory} of a writer that is
   * done with. It grows by doubling. Default 16 KiB.
   */
  constructor(room: number | Buffer = 16_384) {
    const isUsable = typeof room !== "number" && room.length > HEADROOM_BYTES;
    this.#writer = new ProtoWriter(isUsable ? room : HEADROOM_BYTES + (typeof room === "number" ? room : 0));
    this.#writer.pos = HEADROOM_BYTES;
  }

  /** All the memory of the container and its headroom. */
  get memory(): Buffer {
    return this.#writer.buffer;
  }

  /** Messages in the batch. */
  get count(): number {
    return this.#count;
  }

  /** Size of the container so far, in bytes. */
  get sizeBytes(): number {
    return this.#writer.pos - HEADROOM_BYTES;
  }

  /** Copies a message into the batch. */
  add(fields: SingleMessageFields, payload: Uint8Array): void {
    const writer = this.#writer;
    writer.ensure(4);
    const sizeAt = writer.pos;
    writer.pos += 4;
    writeSingleMessageMetadata(writer, fields, payload.length);
    writeUint32(writer.buffer, sizeAt, writer.pos - sizeAt - 4);
    writer.bytes(payload);
    this.#count++;
  }

  /** The container to be framed in place. Nothing may be added afterwards. */
  payload(): BatchPayload {
    const { buffer, pos } = this.#writer;
    return { buffer, start: HEADROOM_BYTES, end: pos, headroom: HEADROOM_BYTES };
  }

  /** A view of the container, to be compressed or encrypted. */
  bytes(): Buffer {
    return this.#writer.buffer.subarray(HEADROOM_BYTES, this.#writer.pos);
  }
}
