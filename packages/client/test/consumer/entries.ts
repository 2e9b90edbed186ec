import {
  BatchWriter,
  type CommandMessage,
  type CompressionType,
  compressionRegistry,
  compressionTypeToWire,
  encodeSendFrame,
  type Int64,
  type MessageMetadata,
  type SingleMessageFields,
} from "@pulsewire/protocol";

/** A MESSAGE as a broker sends it. */
export interface Entry {
  readonly message: CommandMessage;
  readonly frame: Uint8Array;
  /** Where the payload part begins in the frame. */
  readonly start: number;
  /** Permits that the broker counts for it. */
  readonly charged: number;
}

/** What a test may say about an entry. */
export interface EntryFields {
  readonly ledger?: number;
  readonly metadata?: Partial<MessageMetadata>;
  readonly singles?: readonly Partial<SingleMessageFields>[];
  readonly redeliveryCount?: number;
  readonly ackSet?: readonly Int64[];
  readonly consumerEpoch?: number;
  readonly compression?: CompressionType;
  readonly charged?: number;
}

const METADATA: MessageMetadata = { producerName: "p", sequenceId: 0, publishTime: 1_700_000_000_000 };

/** An entry with one message outside of a batch. */
export function single(entry: number, text: string, fields: EntryFields = {}): Entry {
  return frameOf(entry, Buffer.from(text), METADATA, 1, fields);
}

/** An entry with a batch. */
export function batch(entry: number, texts: readonly string[], fields: EntryFields = {}): Entry {
  const writer = new BatchWriter();
  texts.forEach((text, index) => {
    writer.add({ sequenceId: index, ...fields.singles?.[index] }, Buffer.from(text));
  });
  const metadata = { ...METADATA, numMessagesInBatch: texts.length };
  return frameOf(entry, writer.bytes(), metadata, texts.length, fields);
}

/** Texts of a batch: `a0` to `a9` for ("a", 10). */
export function texts(prefix: string, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}`);
}

/** One chunk of a chunked message. */
export function chunk(
  entry: number,
  uuid: string,
  chunkId: number,
  parts: readonly string[],
  fields: EntryFields = {},
): Entry {
  const metadata = {
    ...METADATA,
    uuid,
    chunkId,
    numChunksFromMsg: parts.length,
    totalChunkMsgSize: parts.join("").length,
  };
  return frameOf(entry, Buffer.from(parts[chunkId] ?? ""), metadata, 1, fields);
}

/** The same entry with a bit of its payload turned, so that the checksum does not hold. */
export function damaged(entry: Entry): Entry {
  const frame = Buffer.from(entry.frame);
  frame[frame.length - 1] = (frame.at(-1) ?? 0) ^ 1;
  return { ...entry, frame };
}

function frameOf(entry: number, payload: Uint8Array, base: MessageMetadata, count: number, fields: EntryFields): Entry {
  const { ledger = 1, ackSet, redeliveryCount, consumerEpoch, compression } = fields;
  const codec = compression === undefined ? undefined : compressionRegistry.get(compression);
  const metadata: MessageMetadata = {
    ...base,
    ...(codec === undefined
      ? {}
      : { compression: compressionTypeToWire(codec.type), uncompressedSize: payload.length }),
    ...fields.metadata,
  };
  const frame = encodeSendFrame(
    { producerId: 0, sequenceId: 0 },
    metadata,
    codec?.compress(payload) ?? Buffer.from(payload),
  );
  const start = 8 + frame.readUInt32BE(4);
  const message = {
    consumerId: 1,
    messageId: { ledgerId: ledger, entryId: entry },
    redeliveryCount,
    ackSet,
    consumerEpoch,
  };
  return { message, frame, start, charged: fields.charged ?? count };
}
