import type { MessageId } from "@pulsewire/protocol";

/**
 * A message as a consumer or reader hands it out. Nothing of it is decoded before it is asked for.
 *
 * Its bytes are views into the entry that it arrived in, which belongs to the messages of that entry alone: they stay
 * valid and unchanged for as long as the message is kept, and keeping one message of a batch keeps the batch in memory.
 * Copy what is to be kept long.
 */
export interface Message<T> {
  /** Where the message is in its topic. */
  readonly messageId: MessageId;
  /** Full name of the topic; of its partition, where it has partitions. */
  readonly topic: string;
  /**
   * The payload decoded by the schema, once; null for a tombstone ({@link isNull}).
   *
   * @throws SchemaSerializationError when the schema cannot read the payload. The message can still be acknowledged.
   */
  readonly value: T | null;
  /** The payload as it is; empty for a tombstone. A view, see above. */
  readonly data: Buffer;
  /** True for a message without a value, which removes its key when a topic is compacted. */
  readonly isNull: boolean;
  /** Whether the message has a key; an empty one counts. */
  readonly hasKey: boolean;
  /** The key as text; for a key that was given as bytes their base64 form. Undefined without a key. */
  readonly key: string | undefined;
  /** The key as bytes, those of its UTF-8 form if it was given as text. Undefined without a key. */
  readonly keyBytes: Buffer | undefined;
  /** Decides the order in Key_Shared instead of the key; undefined if the producer gave none. */
  readonly orderingKey: Buffer | undefined;
  /** What the producer attached. */
  readonly properties: Readonly<Record<string, string>>;
  /** When the producer sent it, by its own clock: milliseconds since 1970. */
  readonly publishTime: number;
  /** When what it tells of happened: milliseconds since 1970; undefined if the producer said nothing. */
  readonly eventTime: number | undefined;
  /** Number that the producer counts its messages by. */
  readonly sequenceId: bigint;
  readonly producerName: string;
  /** How often the message was delivered before; counted by the broker for Shared and Key_Shared only, otherwise 0. */
  readonly redeliveryCount: number;
  /** Version of the schema it was written with; undefined where the producer did not say. */
  readonly schemaVersion: Buffer | undefined;
  /** When the broker stored it, milliseconds since 1970; undefined unless the broker exposes it. */
  readonly brokerPublishTime: number | undefined;
  /** Place in the topic counted in messages from 0; undefined unless the broker exposes it. */
  readonly index: bigint | undefined;
  /** Cluster that the message was replicated from; undefined for one published here. */
  readonly replicatedFrom: string | undefined;
}
