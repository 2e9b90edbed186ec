import {
  type BatchPayload,
  type CompressionCodec,
  compressionTypeToWire,
  encodeSendFrame,
  type Int64,
  type MessageId,
  type MessageMetadata,
} from "@pulsewire/protocol";
import { MessageTooBigError } from "../errors.ts";
import type { Batch } from "./batch-container.ts";
import { batchMemory } from "./batch-memory.ts";
import type { OutgoingMessage } from "./outgoing-message.ts";
import type { SendOp } from "./send-op.ts";

/**
 * Bytes of the broker's maximum message size that an entry must leave free. The store adds its own head to each entry
 * (70 to 79 bytes with Apache Pulsar 4.0.7) and the broker its entry metadata (up to 24); an entry that just fits into
 * the limit is accepted by the broker and then refused by the store for ever, and with it everything behind it.
 */
export const STORE_OVERHEAD_BYTES = 128;

/** What a producer's frames have in common. */
export interface SendFrameOptions {
  readonly topic: string;
  readonly producerId: number;
  /** Undefined for no compression. */
  readonly codec: CompressionCodec | undefined;
  /** Level of the codec; its own default where undefined. */
  readonly compressionLevel: number | undefined;
}

/**
 * Makes the SEND frames of one producer: compresses, writes the metadata, and refuses what the broker would not take.
 * The three settable fields come from the broker and are known before the first message is let in.
 */
export class SendFrameEncoder {
  readonly #options: SendFrameOptions;
  readonly #compression: number | undefined;
  /** As the broker gave or confirmed it. */
  producerName = "";
  /** Version of the producer's schema; undefined where there is none. */
  schemaVersion: Uint8Array | undefined;
  /** The broker's limit. */
  maxMessageSizeBytes: number = Number.POSITIVE_INFINITY;

  constructor(options: SendFrameOptions) {
    this.#options = options;
    this.#compression = options.codec === undefined ? undefined : compressionTypeToWire(options.codec.type);
  }

  /** Bytes that metadata and payload of an entry may take together. */
  get maxEntryBytes(): number {
    return this.maxMessageSizeBytes - STORE_OVERHEAD_BYTES;
  }

  /**
   * Encodes a message that goes by itself. Its payload is copied.
   *
   * @throws MessageTooBigError
   */
  encodeSingle(
    message: OutgoingMessage,
    sequenceId: Int64,
    startedAtMs: number,
    publishTimeMs: number,
  ): SendOp<MessageId> {
    // Without this, compressing would be tried on any size.
    if (this.#options.codec === undefined) this.#checkSize(message.payload.length);
    const frame = this.#encodePlain(message, message.payload, sequenceId, publishTimeMs);
    this.#checkSize(entrySize(frame));
    return {
      frame,
      sequenceId,
      highestSequenceId: sequenceId,
      startedAtMs,
      memoryBytes: message.sizeBytes,
      resolves: [message.resolve],
      rejects: [message.reject],
      isBatch: false,
      memory: undefined,
      writes: 0,
      writtenUpTo: 0,
      serial: 0,
    };
  }

  /**
   * Encodes a batch, in its own memory unless it is compressed. A batch of one goes as a plain message, as Java sends it.
   *
   * @throws MessageTooBigError
   */
  encodeBatch(batch: Batch): SendOp<MessageId> {
    const { resolves, rejects, firstSequenceId, lastSequenceId, startedAtMs, memoryBytes } = batch;
    const isBatch = resolves.length > 1;
    const frame = isBatch ? this.#encodeContainer(batch) : this.#encodeLone(batch);
    const { memory } = batch.writer;
    const isInPlace = frame.buffer === memory.buffer;
    if (!isInPlace) batchMemory.giveBack(memory);
    this.#checkSize(entrySize(frame));
    return {
      frame,
      sequenceId: firstSequenceId,
      highestSequenceId: lastSequenceId,
      startedAtMs,
      memoryBytes,
      resolves,
      rejects,
      isBatch,
      memory: isInPlace ? memory : undefined,
      writes: 0,
      writtenUpTo: 0,
      serial: 0,
    };
  }

  /** Whether the entry in this frame is within the broker's limit. */
  fits(frame: Uint8Array): boolean {
    return entrySize(frame) <= this.maxEntryBytes;
  }

  /** The refusal of an entry of this size. */
  tooBigError(entryBytes: number): MessageTooBigError {
    const { topic } = this.#options;
    const message = `${entryBytes} bytes with metadata exceed the ${this.maxEntryBytes} that the broker can store`;
    return new MessageTooBigError(message, { topic, producerName: this.producerName });
  }

  #encodeLone(batch: Batch): Uint8Array {
    // The container ends with the payload: the application's own buffer may have changed since.
    const container = batch.writer.bytes();
    const payload = container.subarray(container.length - batch.first.payload.length);
    return this.#encodePlain(batch.first, payload, batch.firstSequenceId, batch.publishTimeMs);
  }

  #encodePlain(message: OutgoingMessage, payload: Uint8Array, sequenceId: Int64, publishTime: number): Uint8Array {
    const { producerId, compressionLevel } = this.#options;
    // Nothing is gained on an empty payload, and other clients cannot read it: C++ fails on ZLIB, Go on LZ4 and SNAPPY.
    const codec = payload.length === 0 ? undefined : this.#options.codec;
    const metadata: MessageMetadata = {
      producerName: this.producerName,
      sequenceId,
      publishTime,
      properties: message.properties,
      partitionKey: message.partitionKey,
      replicateTo: message.replicateTo,
      compression: codec === undefined ? undefined : this.#compression,
      uncompressedSize: payload.length,
      eventTime: message.eventTime,
      schemaVersion: this.schemaVersion,
      partitionKeyB64Encoded: message.partitionKeyB64Encoded,
      orderingKey: message.orderingKey,
      deliverAtTime: message.deliverAtTime,
      nullValue: message.nullValue,
    };
    const bytes = codec === undefined ? payload : codec.compress(payload, compressionLevel);
    return encodeSendFrame({ producerId, sequenceId }, metadata, bytes);
  }

  #encodeContainer(batch: Batch): Uint8Array {
    const { producerId, codec, compressionLevel } = this.#options;
    const { writer, first, firstSequenceId, lastSequenceId } = batch;
    const numMessages = batch.resolves.length;
    const payload: Uint8Array | BatchPayload =
      codec === undefined ? writer.payload() : codec.compress(writer.bytes(), compressionLevel);
    const metadata: MessageMetadata = {
      producerName: this.producerName,
      sequenceId: firstSequenceId,
      publishTime: batch.publishTimeMs,
      partitionKey: first.partitionKey,
      compression: this.#compression,
      uncompressedSize: writer.sizeBytes,
      numMessagesInBatch: numMessages,
      schemaVersion: this.schemaVersion,
      partitionKeyB64Encoded: first.partitionKeyB64Encoded,
      orderingKey: first.orderingKey,
      highestSequenceId: lastSequenceId,
    };
    const send = { producerId, sequenceId: firstSequenceId, numMessages, highestSequenceId: lastSequenceId };
    return encodeSendFrame(send, metadata, payload);
  }

  #checkSize(entryBytes: number): void {
    if (entryBytes > this.maxEntryBytes) throw this.tooBigError(entryBytes);
  }
}

/** Where the part of a SEND frame begins that the broker stores: after two sizes and the command. */
export function entryStart(frame: Uint8Array): number {
  const commandSize = ((frame[4] ?? 0) << 24) | ((frame[5] ?? 0) << 16) | ((frame[6] ?? 0) << 8) | (frame[7] ?? 0);
  return 8 + commandSize;
}

/** Bytes of that part. */
export function entrySize(frame: Uint8Array): number {
  return frame.length - entryStart(frame);
}
