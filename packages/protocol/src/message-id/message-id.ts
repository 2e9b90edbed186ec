import { fromBase64, toBase64 } from "../base64/base64.ts";
import { ProtocolError } from "../errors.ts";
import { compareInt64, INT64_MAX, type Int64, toBigInt } from "../int64/int64.ts";
import {
  checkInt32,
  checkInt64,
  type MessageIdData,
  readMessageIdData,
  sizeofMessageIdData,
  writeMessageIdData,
} from "./message-id-data.ts";
import { formatMessageId, parseMessageIdText } from "./message-id-text.ts";

const BRAND = Symbol.for("pulsewire.MessageId");

/** Parts of an id as callers name them, see {@link MessageId.of}. */
export interface MessageIdFields {
  readonly ledgerId: bigint | number;
  readonly entryId: bigint | number;
  /** Partition of the topic, default -1: not partitioned. */
  readonly partitionIndex?: number;
  /** Place inside a batch, default -1: no batch. */
  readonly batchIndex?: number;
  /** Messages in the batch, default 0: no batch, or unknown. */
  readonly batchSize?: number;
  /** Id of the first chunk, for the id of a chunked message. */
  readonly firstChunkMessageId?: MessageIdFields;
  /** Full name of the topic that the message belongs to, where it is known. */
  readonly topic?: string;
}

/** Lossless JSON form of an id: 64-bit parts as decimal text. */
export interface MessageIdJson {
  readonly ledgerId: string;
  readonly entryId: string;
  readonly partitionIndex: number;
  readonly batchIndex: number;
  readonly batchSize: number;
  readonly firstChunkMessageId?: MessageIdJson;
  readonly topic?: string;
}

/**
 * Where a message is in a topic. An immutable value: compare with {@link MessageId.compareTo} and
 * {@link MessageId.equals}, store with {@link MessageId.toBytes}, whose bytes are those of the Java client and readable by
 * all clients.
 */
export class MessageId implements MessageIdData {
  /** Before the first message of a topic (-1:-1). */
  static readonly earliest: MessageId = new MessageId(-1, -1);
  /** After the last message of a topic (2^63-1:2^63-1). */
  static readonly latest: MessageId = new MessageId(INT64_MAX, INT64_MAX);

  /** Ledger id in the library's form; users take {@link MessageId.ledgerId}. */
  readonly ledger: Int64;
  /** Entry id in the library's form; users take {@link MessageId.entryId}. */
  readonly entry: Int64;
  /** Partition of the topic, -1 where it is not partitioned or not known. */
  readonly partitionIndex: number;
  /** Place inside the batch, -1 for a message outside of one. */
  readonly batchIndex: number;
  /** Messages in the batch, 0 where there is no batch or the size is not known. */
  readonly batchSize: number;
  /** Id of the first chunk; only on the id of a chunked message, which itself names the last chunk. */
  readonly firstChunkMessageId: MessageId | undefined;
  /** Topic (partition) that the message came from; not part of the bytes, the text, the order or equality. */
  readonly topic: string | undefined;

  /** Takes its arguments as they are: for hot paths with checked values. Others use {@link MessageId.of}. */
  constructor(
    ledger: Int64,
    entry: Int64,
    partitionIndex = -1,
    batchIndex = -1,
    batchSize = 0,
    firstChunkMessageId?: MessageId,
    topic?: string,
  ) {
    this.ledger = ledger;
    this.entry = entry;
    this.partitionIndex = partitionIndex;
    this.batchIndex = batchIndex;
    this.batchSize = batchSize;
    this.firstChunkMessageId = firstChunkMessageId;
    this.topic = topic;
  }

  /**
   * Makes an id of checked parts.
   *
   * @throws ProtocolError `INVALID_MESSAGE_ID` naming the part out of range
   */
  static of(fields: MessageIdFields): MessageId {
    const first = fields.firstChunkMessageId;
    return new MessageId(
      checkInt64("ledgerId", fields.ledgerId),
      checkInt64("entryId", fields.entryId),
      checkInt32("partitionIndex", fields.partitionIndex ?? -1, -1),
      checkInt32("batchIndex", fields.batchIndex ?? -1, -1),
      checkInt32("batchSize", fields.batchSize ?? 0, 0),
      first === undefined ? undefined : MessageId.of(first),
      fields.topic,
    );
  }

  /** Makes an id of decoded wire data. */
  static fromData(data: MessageIdData, topic?: string): MessageId {
    const first = data.firstChunkMessageId;
    return new MessageId(
      data.ledger,
      data.entry,
      data.partitionIndex,
      data.batchIndex,
      data.batchSize,
      first === undefined ? undefined : MessageId.fromData(first),
      topic,
    );
  }

  /**
   * Reads an id that any client has serialised.
   *
   * @throws ProtocolError `INVALID_MESSAGE_ID`
   */
  static fromBytes(bytes: Uint8Array): MessageId {
    return MessageId.fromData(readMessageIdData(bytes, 0, bytes.length));
  }

  /**
   * Reads the base64 form that the WebSocket API uses.
   *
   * @throws ProtocolError `INVALID_MESSAGE_ID`
   */
  static fromBase64(text: string): MessageId {
    const bytes = fromBase64(text);
    if (bytes === undefined) throw new ProtocolError("INVALID_MESSAGE_ID", `message id is no base64: ${shown(text)}`);
    return MessageId.fromBytes(bytes);
  }

  /**
   * Reads the text form `ledger:entry[:partition[:batch index]]`, `first chunk;last chunk`, or the C++ client's
   * `(ledger,entry,partition,batch index)`.
   *
   * @throws ProtocolError `INVALID_MESSAGE_ID`
   */
  static parse(text: string): MessageId {
    const fields = parseMessageIdText(text);
    if (fields === undefined) throw new ProtocolError("INVALID_MESSAGE_ID", `not a message id: ${shown(text)}`);
    return MessageId.of(fields);
  }

  /**
   * Reads what {@link MessageId.toJSON} gave.
   *
   * @throws ProtocolError `INVALID_MESSAGE_ID`
   */
  static fromJSON(json: MessageIdJson): MessageId {
    const { firstChunkMessageId, ...rest } = json;
    const fields = {
      ...rest,
      ledgerId: jsonInt64("ledgerId", json.ledgerId),
      entryId: jsonInt64("entryId", json.entryId),
    };
    if (firstChunkMessageId === undefined) return MessageId.of(fields);
    return MessageId.of({ ...fields, firstChunkMessageId: MessageId.fromJSON(firstChunkMessageId).toFields() });
  }

  /** True for an id made by this or any other loaded copy of the package. */
  static isMessageId(value: unknown): value is MessageId {
    return typeof value === "object" && value !== null && BRAND in value;
  }

  /** Ledger id, -1 for {@link MessageId.earliest}. */
  get ledgerId(): bigint {
    return toBigInt(this.ledger);
  }

  /** Entry id, -1 for {@link MessageId.earliest}. */
  get entryId(): bigint {
    return toBigInt(this.entry);
  }

  /** Order in the topic: ledger, entry, partition, batch index as signed numbers. Negative, zero or positive. */
  compareTo(other: MessageId): number {
    return (
      compareInt64(this.ledger, other.ledger) ||
      compareInt64(this.entry, other.entry) ||
      this.partitionIndex - other.partitionIndex ||
      this.batchIndex - other.batchIndex
    );
  }

  /** True when both name the same message: {@link MessageId.compareTo} finds no difference. */
  equals(other: MessageId): boolean {
    return this.compareTo(other) === 0;
  }

  /** True when this message comes before the other one in its topic. */
  isBefore(other: MessageId): boolean {
    return this.compareTo(other) < 0;
  }

  /** True when this message comes after the other one in its topic. */
  isAfter(other: MessageId): boolean {
    return this.compareTo(other) > 0;
  }

  /** The same id with a topic's name, or without one. */
  withTopic(topic: string | undefined): MessageId {
    return new MessageId(
      this.ledger,
      this.entry,
      this.partitionIndex,
      this.batchIndex,
      this.batchSize,
      this.firstChunkMessageId,
      topic,
    );
  }

  /** Serialised form, byte for byte that of the Java client. */
  toBytes(): Uint8Array {
    const bytes = new Uint8Array(sizeofMessageIdData(this));
    writeMessageIdData(bytes, 0, this);
    return bytes;
  }

  /** Base64 of {@link MessageId.toBytes}, the form of the WebSocket API. */
  toBase64(): string {
    return toBase64(this.toBytes());
  }

  /** Text form of the Java client: `ledger:entry:partition[:batch index]`, for chunked messages `first;last`. */
  toString(): string {
    return formatMessageId(this);
  }

  /** Lossless JSON form. */
  toJSON(): MessageIdJson {
    return {
      ledgerId: String(this.ledger),
      entryId: String(this.entry),
      partitionIndex: this.partitionIndex,
      batchIndex: this.batchIndex,
      batchSize: this.batchSize,
      ...(this.firstChunkMessageId === undefined ? {} : { firstChunkMessageId: this.firstChunkMessageId.toJSON() }),
      ...(this.topic === undefined ? {} : { topic: this.topic }),
    };
  }

  private toFields(): MessageIdFields {
    return {
      ledgerId: this.ledger,
      entryId: this.entry,
      partitionIndex: this.partitionIndex,
      batchIndex: this.batchIndex,
      batchSize: this.batchSize,
      ...(this.topic === undefined ? {} : { topic: this.topic }),
    };
  }
}

Object.defineProperty(MessageId.prototype, BRAND, { value: true });

function jsonInt64(name: string, text: unknown): bigint {
  if (typeof text !== "string" || !/^-?\d{1,20}$/.test(text)) {
    throw new ProtocolError("INVALID_MESSAGE_ID", `${name} must be decimal text, got ${shown(text)}`);
  }
  return BigInt(text);
}

function shown(value: unknown): string {
  return JSON.stringify(typeof value === "string" ? value.slice(0, 80) : value) ?? String(value);
}
