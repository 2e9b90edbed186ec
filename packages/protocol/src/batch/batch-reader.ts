import { ProtocolError } from "../errors.ts";
import type { SingleMessageMetadata } from "../gen/pulsar-api.js";
import { ProtoReader } from "../protobuf/proto-reader.ts";
import { readUint32 } from "../protobuf/raw-bytes.ts";
import { readSingleMessageMetadata } from "./single-message-metadata.ts";

/**
 * Walks over a batch container (drawn at BatchWriter). It copies nothing: a message's payload is the range
 * `payloadStart` to `payloadEnd` of `container`.
 *
 * ```ts
 * const batch = new BatchReader(container, metadata.numMessagesInBatch);
 * for (let single = batch.next(); single !== undefined; single = batch.next()) use(single, batch.payload());
 * ```
 */
export class BatchReader {
  readonly container: Buffer;
  /** Index of the message that {@link next} gave last; -1 before the first. */
  index = -1;
  /** Bounds of its payload inside the container. */
  payloadStart = 0;
  payloadEnd = 0;
  readonly #numMessages: number;
  readonly #reader = new ProtoReader();

  /**
   * @param container the uncompressed payload of the entry
   * @param numMessages what the entry's metadata says in `numMessagesInBatch`
   * @throws ProtocolError `INVALID_BATCH` for a count that is no count, or that the container is too small for.
   */
  constructor(container: Uint8Array, numMessages: number) {
    // A message takes at least its size field and a payload size: six bytes.
    if (!Number.isInteger(numMessages) || numMessages < 0 || numMessages > container.length / 6) {
      const reason = `a batch of ${container.length} bytes cannot hold ${numMessages} messages`;
      throw new ProtocolError("INVALID_BATCH", reason, { offset: 0 });
    }
    this.#reader.reset(container, 0, container.length);
    this.container = this.#reader.buffer;
    this.#numMessages = numMessages;
  }

  /**
   * Metadata of the next message; undefined after the last.
   *
   * @throws ProtocolError `INVALID_BATCH` when the container ends early or its sizes lie.
   */
  next(): SingleMessageMetadata | undefined {
    if (this.index + 1 >= this.#numMessages) return undefined;
    const reader = this.#reader;
    const limit = this.container.length;
    const start = this.payloadEnd;
    if (limit - start < 4) throw this.#invalid(`message ${this.index + 1} is missing`, start);
    const metadataStart = start + 4;
    const metadataSize = readUint32(this.container, start);
    if (metadataSize > limit - metadataStart) {
      throw this.#invalid(`metadata of ${metadataSize} bytes runs past the end`, start);
    }
    reader.pos = metadataStart;
    reader.end = metadataStart + metadataSize;
    const metadata = this.#readMetadata(metadataStart);
    const payloadStart = metadataStart + metadataSize;
    if (metadata.payloadSize < 0 || metadata.payloadSize > limit - payloadStart) {
      throw this.#invalid(`payload of ${metadata.payloadSize} bytes runs past the end`, metadataStart);
    }
    this.index++;
    this.payloadStart = payloadStart;
    this.payloadEnd = payloadStart + metadata.payloadSize;
    return metadata;
  }

  /** A view of the payload of the message that {@link next} gave last. */
  payload(): Buffer {
    return this.container.subarray(this.payloadStart, this.payloadEnd);
  }

  #readMetadata(offset: number): SingleMessageMetadata {
    try {
      return readSingleMessageMetadata(this.#reader);
    } catch (cause) {
      if (!ProtocolError.isProtocolError(cause)) throw cause;
      const reason = `metadata of message ${this.index + 1}: ${cause.reason}`;
      throw new ProtocolError("INVALID_BATCH", reason, { offset: cause.offset ?? offset, cause });
    }
  }

  #invalid(reason: string, offset: number): ProtocolError {
    return new ProtocolError("INVALID_BATCH", reason, { offset });
  }
}
