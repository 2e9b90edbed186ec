import {
  AckSet,
  BatchReader,
  type CommandMessage,
  type CompressionCodec,
  type CompressionRegistry,
  compressionTypeFromWire,
  decodeEntry,
  decompressPayload,
  type Entry,
  type MessageMetadata,
} from "@pulsewire/protocol";
import type { AckTracker } from "./ack-tracker.ts";
import type { ChunkCollector } from "./chunk-collector.ts";
import type { ChunkPositions, EntrySource, ReceivedEntry } from "./received-entry.ts";
import { ReceivedMessage } from "./received-message.ts";
import type { StartFilter } from "./start-position.ts";
import { permitsOf, permitsOfBytes, toUndecryptable, toUnreadable, type UnreadableEntry } from "./unreadable-entry.ts";

/** Where the messages of decoded entries go. */
export interface EntrySink<T> {
  /** Messages to be handed out, each holding its permit, and the number of permits of what is not handed out. */
  onDecoded(messages: readonly ReceivedMessage<T>[], permits: number): void;
  onUnreadable(entry: UnreadableEntry): void;
}

/** What a decoder works with. */
export interface EntryDecoderOptions<T> {
  readonly source: EntrySource<T>;
  readonly acks: AckTracker;
  readonly chunks: ChunkCollector;
  readonly compression: CompressionRegistry;
  readonly sink: EntrySink<T>;
  /** Whether what comes before the start is acknowledged: a durable subscription would keep it for ever. */
  readonly acknowledgesSkipped: boolean;
}

/** A MESSAGE frame: the command, and where its payload part lies. The memory belongs to the frame and may be kept. */
export interface MessageFrame {
  readonly message: CommandMessage;
  readonly buffer: Uint8Array;
  readonly start: number;
  readonly end: number;
}

/** What decoding depends on and what changes with the connection or a seek. */
export interface DecodingContext {
  readonly filter: StartFilter;
  readonly maxMessageSizeBytes: number;
}

/** Chunked messages that are compressed better than this are refused: nobody shall make the client allocate at will. */
const MAX_CHUNKED_RATIO = 256;

const NOTHING: readonly never[] = [];

/**
 * Turns MESSAGE frames into messages: checksum, metadata, markers, duplicates, start position, chunks, decompression,
 * batch. Every permit of an entry ends up either with a message or in the count of those that come back; only indexes
 * that the broker's `ack_set` leaves out never had one. It never throws, whatever the bytes.
 */
export class EntryDecoder<T> {
  readonly #options: EntryDecoderOptions<T>;

  constructor(options: EntryDecoderOptions<T>) {
    this.#options = options;
  }

  /**
   * Decodes one frame and tells the sink.
   *
   * @returns a promise when the codec has to be loaded first: call again with the same frame when it has resolved, or
   *   {@link refuse} when it has rejected
   */
  decode(frame: MessageFrame, context: DecodingContext): Promise<unknown> | undefined {
    const { message } = frame;
    try {
      const entry = decodeEntry(frame.buffer, frame.start, frame.end);
      const permits = permitsOf(entry.metadata, message.ackSet);
      if (this.#isLeftOut(message, entry.metadata, permits)) return undefined;
      const type = compressionTypeFromWire(entry.metadata.compression ?? 0);
      const codec = this.#options.compression.get(type);
      if (codec === undefined) return this.#options.compression.load(type);
      if (isChunk(entry.metadata)) this.#decodeChunk(message, entry, codec, context);
      else this.#decodeWhole(message, entry, codec, context, permits);
    } catch (error) {
      this.refuse(frame, error);
    }
    return undefined;
  }

  /** Reports a frame that cannot be read. */
  refuse(frame: MessageFrame, error: unknown): void {
    const { message, buffer, start, end } = frame;
    const permits = permitsOfBytes(message, buffer, start, end);
    this.#options.sink.onUnreadable(toUnreadable(message, error, permits, this.#options.source.topic));
  }

  /** Markers, duplicates of what is being acknowledged, and what is encrypted. */
  #isLeftOut(message: CommandMessage, metadata: MessageMetadata, permits: number): boolean {
    const { acks, sink, source } = this.#options;
    const { ledgerId, entryId } = message.messageId;
    if (metadata.markerType !== undefined) {
      void acks.acknowledgeEntry(ledgerId, entryId);
      sink.onDecoded(NOTHING, permits);
      return true;
    }
    if (acks.isAcknowledged(ledgerId, entryId)) {
      sink.onDecoded(NOTHING, permits);
      return true;
    }
    if (metadata.encryptionKeys !== undefined && metadata.encryptionKeys.length > 0) {
      sink.onUnreadable(toUndecryptable(message, permits, source.topic));
      return true;
    }
    return false;
  }

  #decodeChunk(message: CommandMessage, entry: Entry, codec: CompressionCodec, context: DecodingContext): void {
    const { chunks, sink } = this.#options;
    const { ledgerId, entryId } = message.messageId;
    const whole = chunks.add(ledgerId, entryId, entry.metadata, entry.payload);
    if (whole === undefined) {
      sink.onDecoded(NOTHING, 1);
      return;
    }
    const maxMessageSizeBytes = Math.max(context.maxMessageSizeBytes, whole.payload.length * MAX_CHUNKED_RATIO);
    const assembled = { ...entry, payload: whole.payload };
    try {
      this.#decodeWhole(message, assembled, codec, { ...context, maxMessageSizeBytes }, 1, whole.positions);
    } catch (error) {
      // The refusal names the last chunk only.
      for (const { ledger, entry: id } of whole.positions.all) {
        if (ledger !== ledgerId || id !== entryId) void this.#options.acks.acknowledgeEntry(ledger, id);
      }
      throw error;
    }
  }

  #decodeWhole(
    message: CommandMessage,
    entry: Entry,
    codec: CompressionCodec,
    context: DecodingContext,
    permits: number,
    chunks?: ChunkPositions,
  ): void {
    const { source, acks, sink, acknowledgesSkipped } = this.#options;
    const { metadata } = entry;
    const { ledgerId, entryId } = message.messageId;
    const firstIndex = context.filter.firstIndexOf(ledgerId, entryId, metadata.publishTime);
    if (firstIndex === Number.POSITIVE_INFINITY) {
      if (acknowledgesSkipped) {
        const entries = chunks?.all ?? [{ ledger: ledgerId, entry: entryId }];
        for (const { ledger, entry: id } of entries) void acks.acknowledgeEntry(ledger, id);
      }
      sink.onDecoded(NOTHING, permits);
      return;
    }
    const received: ReceivedEntry<T> = {
      source,
      ledger: ledgerId,
      entry: entryId,
      batchSize: metadata.numMessagesInBatch ?? 0,
      ackSet: message.ackSet,
      redeliveryCount: message.redeliveryCount ?? 0,
      metadata,
      brokerEntryMetadata: entry.brokerEntryMetadata,
      payload: toBuffer(
        decompressPayload(codec, entry.payload, metadata.uncompressedSize ?? 0, context.maxMessageSizeBytes),
      ),
      chunks,
      batchAcks: undefined,
    };
    const messages =
      metadata.numMessagesInBatch === undefined
        ? [new ReceivedMessage(received, -1, metadata, 0, received.payload.length)]
        : this.#readBatch(received, firstIndex);
    sink.onDecoded(messages, permits - messages.length);
  }

  #readBatch(entry: ReceivedEntry<T>, firstIndex: number): ReceivedMessage<T>[] {
    const { acks, acknowledgesSkipped } = this.#options;
    const { batchSize, ackSet } = entry;
    const wanted = ackSet === undefined ? undefined : AckSet.fromWords(ackSet, batchSize);
    const open = acks.openBatch(entry.ledger, entry.entry);
    // The broker may know of acknowledgements that another consumer of the subscription sent.
    if (open !== undefined && ackSet !== undefined) open.set.ackWords(ackSet);
    const reader = new BatchReader(entry.payload, batchSize);
    const messages: ReceivedMessage<T>[] = [];
    for (let single = reader.next(); single !== undefined; single = reader.next()) {
      const { index } = reader;
      if (wanted !== undefined && !wanted.isUnacknowledged(index)) continue;
      if (open !== undefined && !open.set.isUnacknowledged(index)) continue;
      if (single.compactedOut === true || index < firstIndex) {
        if (acknowledgesSkipped) void acks.acknowledge(entry, index);
        continue;
      }
      messages.push(new ReceivedMessage(entry, index, single, reader.payloadStart, reader.payloadEnd));
    }
    return messages;
  }
}

function isChunk(metadata: MessageMetadata): boolean {
  return metadata.uuid !== undefined && metadata.numChunksFromMsg !== undefined && metadata.numChunksFromMsg > 1;
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
