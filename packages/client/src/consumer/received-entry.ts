import type { BrokerEntryMetadata, Int64, MessageId, MessageMetadata } from "@pulsewire/protocol";
import type { Schema } from "../schema/schema.ts";
import type { AckableEntry } from "./ack-tracker.ts";
import type { EntryPosition } from "./negative-acks.ts";
import type { BatchAcks } from "./pending-acks.ts";

/** What the entries of one consumer have in common. */
export interface EntrySource<T> {
  readonly topic: string;
  /** -1 where the topic has no partitions. */
  readonly partitionIndex: number;
  readonly schema: Schema<T>;
}

/** Where the chunks of a message are that arrived as several entries. */
export interface ChunkPositions {
  readonly firstChunkMessageId: MessageId;
  readonly all: readonly EntryPosition[];
}

/** One entry that has arrived: what all its messages share, held once. */
export interface ReceivedEntry<T> extends AckableEntry {
  readonly source: EntrySource<T>;
  readonly ledger: Int64;
  readonly entry: Int64;
  readonly batchSize: number;
  readonly ackSet: readonly Int64[] | undefined;
  readonly redeliveryCount: number;
  readonly metadata: MessageMetadata;
  readonly brokerEntryMetadata: BrokerEntryMetadata | undefined;
  /** The payload, or the container of the batch; decrypted and decompressed. */
  readonly payload: Buffer;
  /** Present when the entry is the last chunk of a message. */
  readonly chunks: ChunkPositions | undefined;
  batchAcks: BatchAcks | undefined;
}
