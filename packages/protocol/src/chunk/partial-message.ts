import { ProtocolError } from "../errors.ts";
import type { MessageId } from "../message-id/message-id.ts";
import type { ChunkPart } from "./chunked-message-assembler.ts";

/** Memory for a message starts at so many times its first chunk, or its total where that is less. */
const FIRST_GROWTH = 8;

/**
 * The chunks of one message received so far. Memory grows with what has really come, so that a false total claims nothing.
 */
export class PartialMessage {
  readonly uuid: string;
  readonly startedAtMs: number;
  readonly messageIds: MessageId[] = [];
  readonly #numChunks: number;
  readonly #totalBytes: number;
  #buffer: Uint8Array = new Uint8Array(0);
  #filled = 0;

  constructor(first: ChunkPart, startedAtMs: number) {
    this.uuid = first.uuid;
    this.startedAtMs = startedAtMs;
    this.#numChunks = first.numChunks;
    this.#totalBytes = first.totalSizeBytes;
  }

  /** What is wrong with the metadata of a chunk by itself, if anything. */
  static check(part: ChunkPart, maxTotalBytes: number): ProtocolError | undefined {
    const { chunkId, numChunks, totalSizeBytes } = part;
    if (!Number.isInteger(numChunks) || numChunks < 1) return invalid(`${numChunks} chunks make no message`);
    if (!Number.isInteger(chunkId) || chunkId < 0 || chunkId >= numChunks) {
      return invalid(`chunk ${chunkId} of ${numChunks} does not exist`);
    }
    if (!Number.isInteger(totalSizeBytes) || totalSizeBytes < 0 || totalSizeBytes > maxTotalBytes) {
      return invalid(`total size ${totalSizeBytes} is not within 0 and ${maxTotalBytes}`);
    }
    return undefined;
  }

  get nextChunkId(): number {
    return this.messageIds.length;
  }

  get isComplete(): boolean {
    return this.messageIds.length === this.#numChunks;
  }

  get heldBytes(): number {
    return this.#buffer.length;
  }

  contains(id: MessageId): boolean {
    return this.messageIds.some((own) => own.equals(id));
  }

  /** Adds the next chunk; returns what is wrong with it instead, if anything. */
  append(part: ChunkPart): ProtocolError | undefined {
    if (part.numChunks !== this.#numChunks || part.totalSizeBytes !== this.#totalBytes) {
      return invalid(
        `chunk ${part.chunkId} says ${part.numChunks} chunks and ${part.totalSizeBytes} bytes, the first one said ` +
          `${this.#numChunks} and ${this.#totalBytes}`,
      );
    }
    const filled = this.#filled + part.payload.length;
    if (filled > this.#totalBytes) return invalid(`chunks hold more than the total of ${this.#totalBytes} bytes`);
    const isLast = part.chunkId === this.#numChunks - 1;
    if (isLast && filled !== this.#totalBytes) {
      return invalid(`chunks hold ${filled} bytes instead of the total of ${this.#totalBytes}`);
    }
    this.#reserve(filled, part.payload.length);
    this.#buffer.set(part.payload, this.#filled);
    this.#filled = filled;
    this.messageIds.push(part.messageId);
    return undefined;
  }

  /** The bytes received, owned by the caller once the message is complete. */
  payload(): Uint8Array {
    return this.#buffer.subarray(0, this.#filled);
  }

  #reserve(bytes: number, added: number): void {
    if (bytes <= this.#buffer.length) return;
    const wanted = Math.max(bytes, this.#filled === 0 ? added * FIRST_GROWTH : this.#buffer.length * 2);
    const grown = Buffer.allocUnsafeSlow(Math.min(this.#totalBytes, wanted));
    grown.set(this.#buffer.subarray(0, this.#filled));
    this.#buffer = grown;
  }
}

function invalid(reason: string): ProtocolError {
  return new ProtocolError("INVALID_CHUNK", reason);
}
