import { ProtocolError } from "../errors.ts";
import { asBuffer } from "../protobuf/proto-reader.ts";
import { copyBytes, readUint32 } from "../protobuf/raw-bytes.ts";
import { DEFAULT_MAX_MESSAGE_SIZE_BYTES, FRAME_OVERHEAD_BYTES } from "./limits.ts";

const EMPTY: Buffer = Buffer.alloc(0);

/**
 * Where a frame's parts lie. One object is reused for all frames of a decoder: read it during the callback only.
 *
 * | offset       | size        | meaning                                            |
 * | ------------ | ----------- | -------------------------------------------------- |
 * | 0            | 4           | total size: everything after these four bytes      |
 * | 4            | 4           | command size                                       |
 * | commandStart | command size| BaseCommand                                        |
 * | commandEnd   | the rest    | payload part, of SEND and MESSAGE only, up to `end`|
 */
export interface FrameView {
  readonly buffer: Buffer;
  readonly commandStart: number;
  readonly commandEnd: number;
  /** End of the frame; equal to `commandEnd` where the frame has no payload part. */
  readonly end: number;
}

/** Options of a {@link FrameDecoder}. */
export interface FrameDecoderOptions {
  /**
   * Payload limit in bytes, as the broker names it in CONNECTED. Frames may be 10 KiB larger. Default 5 MiB.
   */
  readonly maxMessageSizeBytes?: number;
  /**
   * True when the caller reuses the memory of its chunks once {@link FrameDecoder.decode} has returned. A frame with a
   * payload part then gets memory of its own, by one copy. Default false: such frames may be views of the chunk.
   */
  readonly reusesChunks?: boolean;
}

/**
 * Cuts a byte stream into frames. It owns the bytes of an incomplete frame and nothing else; it knows no commands.
 *
 * Sizes are checked before anything is allocated, so that its memory stays within the frame limit whatever the bytes.
 * After a ProtocolError the stream has lost its frame borders: the decoder refuses further input, and the connection is
 * to be closed.
 */
export class FrameDecoder {
  /** May be changed between chunks, e.g. when CONNECTED has come. */
  maxMessageSizeBytes: number;
  readonly #reusesChunks: boolean;
  readonly #view = { buffer: EMPTY, commandStart: 0, commandEnd: 0, end: 0 };
  /** The first bytes of a frame whose two sizes are not complete yet. */
  readonly #head = Buffer.alloc(8);
  #headBytes = 0;
  /** A frame that continues in the next chunk, whole length, and how much of it is there. */
  #partial: Buffer | undefined;
  #partialBytes = 0;
  #streamOffset = 0;
  #failure: ProtocolError | undefined;

  constructor(options: FrameDecoderOptions = {}) {
    this.maxMessageSizeBytes = options.maxMessageSizeBytes ?? DEFAULT_MAX_MESSAGE_SIZE_BYTES;
    this.#reusesChunks = options.reusesChunks ?? false;
  }

  /** Bytes kept for a frame that is not complete. */
  get bufferedBytes(): number {
    return this.#partial === undefined ? this.#headBytes : this.#partialBytes;
  }

  /** Memory held for a frame that is not complete, never above the frame limit. */
  get allocatedBytes(): number {
    return this.#head.length + (this.#partial?.length ?? 0);
  }

  /**
   * Takes the next bytes of the stream and calls back for each frame that they complete, in order.
   *
   * @throws ProtocolError `FRAME_TOO_LARGE` or `INVALID_SIZE`, with the offset in the whole stream; and what `onFrame` throws,
   *   after which the decoder refuses further input as well.
   */
  decode(chunk: Uint8Array, onFrame: (frame: FrameView) => void): void {
    if (this.#failure !== undefined) throw this.#failure;
    try {
      this.#decode(asBuffer(chunk), onFrame);
    } catch (error) {
      this.#failure = ProtocolError.isProtocolError(error)
        ? error
        : new ProtocolError("INVALID_ARGUMENT", "the frame decoder stopped at an error of its caller", {
            cause: error,
          });
      this.#partial = undefined;
      throw error;
    }
  }

  #decode(chunk: Buffer, onFrame: (frame: FrameView) => void): void {
    let pos = this.#partial !== undefined || this.#headBytes > 0 ? this.#resume(chunk, onFrame) : 0;
    while (chunk.length - pos >= 8) {
      const total = this.#checkedTotal(readUint32(chunk, pos), readUint32(chunk, pos + 4), pos);
      if (chunk.length - pos < total) break;
      this.#emit(chunk, pos, pos + total, this.#reusesChunks, onFrame);
      pos += total;
    }
    if (pos < chunk.length) this.#keep(chunk, pos);
    this.#streamOffset += chunk.length;
  }

  /** Completes the frame that earlier chunks began, as far as this chunk goes; returns the bytes taken. */
  #resume(chunk: Buffer, onFrame: (frame: FrameView) => void): number {
    let pos = 0;
    if (this.#partial === undefined) {
      pos = Math.min(8 - this.#headBytes, chunk.length);
      chunk.copy(this.#head, this.#headBytes, 0, pos);
      this.#headBytes += pos;
      if (this.#headBytes < 8) return pos;
      this.#begin(this.#head, 0, pos - 8);
      this.#headBytes = 0;
    }
    const frame = this.#partial;
    if (frame === undefined) return pos;
    const taken = Math.min(frame.length - this.#partialBytes, chunk.length - pos);
    chunk.copy(frame, this.#partialBytes, pos, pos + taken);
    this.#partialBytes += taken;
    if (this.#partialBytes === frame.length) {
      this.#partial = undefined;
      this.#emit(frame, 0, frame.length, false, onFrame);
    }
    return pos + taken;
  }

  /** Keeps the bytes from `pos` on: an incomplete frame. */
  #keep(chunk: Buffer, pos: number): void {
    const rest = chunk.length - pos;
    if (rest < 8) {
      chunk.copy(this.#head, 0, pos);
      this.#headBytes = rest;
      return;
    }
    const frame = this.#begin(chunk, pos, pos);
    chunk.copy(frame, 8, pos + 8);
    this.#partialBytes = rest;
  }

  /** Allocates the frame whose two sizes stand at `pos` and copies these. */
  #begin(source: Buffer, pos: number, chunkOffset: number): Buffer {
    const total = this.#checkedTotal(readUint32(source, pos), readUint32(source, pos + 4), chunkOffset);
    const frame = Buffer.allocUnsafeSlow(total);
    source.copy(frame, 0, pos, pos + 8);
    this.#partial = frame;
    this.#partialBytes = 8;
    return frame;
  }

  /** Checks the two sizes and returns the length of the whole frame, its first four bytes included. */
  #checkedTotal(totalSize: number, commandSize: number, chunkOffset: number): number {
    const offset = this.#streamOffset + chunkOffset;
    const limit = this.maxMessageSizeBytes + FRAME_OVERHEAD_BYTES;
    if (totalSize > limit) {
      const reason = `frame of ${totalSize} bytes is above the limit of ${limit}`;
      throw new ProtocolError("FRAME_TOO_LARGE", reason, { offset });
    }
    if (totalSize < 4) {
      throw new ProtocolError("INVALID_SIZE", `frame of ${totalSize} bytes cannot hold a command size`, { offset });
    }
    if (commandSize > totalSize - 4) {
      const reason = `command of ${commandSize} bytes does not fit into a frame of ${totalSize}`;
      throw new ProtocolError("INVALID_SIZE", reason, { offset: offset + 4 });
    }
    return totalSize + 4;
  }

  #emit(buffer: Buffer, start: number, end: number, copy: boolean, onFrame: (frame: FrameView) => void): void {
    const commandSize = readUint32(buffer, start + 4);
    const view = this.#view;
    if (copy && start + 8 + commandSize < end) {
      view.buffer = Buffer.allocUnsafe(end - start);
      copyBytes(buffer, start, end, view.buffer, 0);
      view.commandStart = 8;
      view.end = end - start;
    } else {
      view.buffer = buffer;
      view.commandStart = start + 8;
      view.end = end;
    }
    view.commandEnd = view.commandStart + commandSize;
    onFrame(view);
  }
}
