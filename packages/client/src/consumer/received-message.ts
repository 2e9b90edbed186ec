import {
  type KeyValue,
  MessageId,
  type MessageMetadata,
  type SingleMessageMetadata,
  toBigInt,
} from "@pulsewire/protocol";
import { SchemaSerializationError } from "../errors.ts";
import type { Message } from "../message.ts";
import type { ReceivedEntry } from "./received-entry.ts";

const NO_PROPERTIES: Readonly<Record<string, string>> = Object.freeze({});

/** Stands for a value that nobody has asked for yet; no schema can produce it. */
const NOT_DECODED: unique symbol = Symbol("not decoded");

/** A message of a received entry: a range of the entry's payload, and what the message says about itself. */
export class ReceivedMessage<T> implements Message<T> {
  readonly #entry: ReceivedEntry<T>;
  readonly #batchIndex: number;
  /** The metadata of a message in a batch, or the entry's. */
  readonly #fields: SingleMessageMetadata | MessageMetadata;
  readonly #start: number;
  readonly #end: number;
  #value: T | null | typeof NOT_DECODED = NOT_DECODED;
  #messageId: MessageId | undefined = undefined;

  /**
   * @param batchIndex place in the batch, -1 outside of one
   * @param fields the entry's metadata outside of a batch
   * @param start where the message's payload begins in the entry's
   */
  constructor(
    entry: ReceivedEntry<T>,
    batchIndex: number,
    fields: SingleMessageMetadata | MessageMetadata,
    start: number,
    end: number,
  ) {
    this.#entry = entry;
    this.#batchIndex = batchIndex;
    this.#fields = fields;
    this.#start = start;
    this.#end = end;
  }

  /** The entry of a message that this copy of the package received; undefined for anything else. */
  static entryOf<T>(message: Message<T>): ReceivedEntry<T> | undefined {
    return ReceivedMessage.isReceived(message) ? message.#entry : undefined;
  }

  /** Whether a message is one of this class, of this copy of the package. */
  static isReceived<T>(message: Message<T>): message is ReceivedMessage<T> {
    return #entry in message;
  }

  /** Place of such a message in its batch, -1 outside of one. */
  static batchIndexOf<T>(message: ReceivedMessage<T>): number {
    return message.#batchIndex;
  }

  get messageId(): MessageId {
    if (this.#messageId === undefined) {
      const { ledger, entry, batchSize, chunks, source } = this.#entry;
      const first = chunks?.firstChunkMessageId;
      this.#messageId = new MessageId(
        ledger,
        entry,
        source.partitionIndex,
        this.#batchIndex,
        batchSize,
        first,
        source.topic,
      );
    }
    return this.#messageId;
  }

  get topic(): string {
    return this.#entry.source.topic;
  }

  get value(): T | null {
    if (this.#value === NOT_DECODED) this.#value = this.#decode();
    return this.#value;
  }

  get data(): Buffer {
    return this.#entry.payload.subarray(this.#start, this.#end);
  }

  get isNull(): boolean {
    return this.#fields.nullValue === true;
  }

  get hasKey(): boolean {
    return this.#fields.partitionKey !== undefined && this.#fields.nullPartitionKey !== true;
  }

  get key(): string | undefined {
    return this.hasKey ? this.#fields.partitionKey : undefined;
  }

  get keyBytes(): Buffer | undefined {
    const { key } = this;
    if (key === undefined) return undefined;
    return Buffer.from(key, this.#fields.partitionKeyB64Encoded === true ? "base64" : "utf8");
  }

  get orderingKey(): Buffer | undefined {
    return toBuffer(this.#fields.orderingKey);
  }

  get properties(): Readonly<Record<string, string>> {
    const { properties } = this.#fields;
    return properties === undefined || properties.length === 0 ? NO_PROPERTIES : toRecord(properties);
  }

  get publishTime(): number {
    return Number(this.#entry.metadata.publishTime);
  }

  get eventTime(): number | undefined {
    const { eventTime } = this.#fields;
    // Clients that write the field always write 0 for none.
    return eventTime === undefined || eventTime === 0 ? undefined : Number(eventTime);
  }

  get sequenceId(): bigint {
    // A batch of a producer that numbers the entry only.
    return toBigInt(this.#fields.sequenceId ?? this.#entry.metadata.sequenceId);
  }

  get producerName(): string {
    return this.#entry.metadata.producerName;
  }

  get redeliveryCount(): number {
    return this.#entry.redeliveryCount;
  }

  get schemaVersion(): Buffer | undefined {
    return toBuffer(this.#entry.metadata.schemaVersion);
  }

  get brokerPublishTime(): number | undefined {
    const timestamp = this.#entry.brokerEntryMetadata?.brokerTimestamp;
    return timestamp === undefined ? undefined : Number(timestamp);
  }

  get index(): bigint | undefined {
    const last = this.#entry.brokerEntryMetadata?.index;
    if (last === undefined) return undefined;
    // The broker counts messages and gives the number of the entry's last one.
    return this.#batchIndex < 0
      ? toBigInt(last)
      : toBigInt(last) - BigInt(this.#entry.batchSize - 1 - this.#batchIndex);
  }

  get replicatedFrom(): string | undefined {
    return this.#entry.metadata.replicatedFrom;
  }

  #decode(): T | null {
    if (this.isNull) return null;
    const { source, metadata } = this.#entry;
    try {
      return source.schema.decode(this.data, metadata.schemaVersion);
    } catch (cause) {
      const message = `message ${this.messageId.toString()} does not fit the schema: ${reasonOf(cause)}`;
      throw new SchemaSerializationError(message, { topic: source.topic, cause });
    }
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}

function toBuffer(bytes: Uint8Array | undefined): Buffer | undefined {
  return bytes === undefined ? undefined : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function toRecord(properties: readonly KeyValue[]): Readonly<Record<string, string>> {
  // Not by assignment: a property named __proto__ is a property like any other.
  return Object.fromEntries(properties.map(({ key, value }) => [key, value]));
}
