import {
  type AckSet,
  AckType,
  type CommandAck,
  compareInt64,
  type Int64,
  type MessageIdData,
} from "@pulsewire/protocol";
import { Deferred } from "../util/deferred.ts";
import { EntryMap } from "./entry-map.ts";

/** What is known of the acknowledgements inside one batch. */
export interface BatchAcks {
  readonly ledger: Int64;
  readonly entry: Int64;
  readonly set: AckSet;
  /** The set holds acknowledgements that wait in a {@link PendingAcks}. */
  isUnsent: boolean;
}

/** A cumulative acknowledgement: everything up to a message. */
export interface CumulativeAck {
  readonly ledger: Int64;
  readonly entry: Int64;
  /** Last message that it covers in the batch; infinite for the whole entry. */
  readonly index: number;
  /** The batch, when it covers a part of it only. */
  readonly batch: BatchAcks | undefined;
}

/** An ACK without the ids that a consumer and its connection put in. */
export type AckBody = Omit<CommandAck, "consumerId" | "requestId">;

/** Acknowledgements that have been asked for and not been sent. Whoever sends them takes the object and makes a new one. */
export class PendingAcks {
  readonly #entries: EntryMap<true> = new EntryMap();
  readonly #batches: BatchAcks[] = [];
  #cumulative: CumulativeAck | undefined;
  #receipt: Deferred<void> | undefined;

  /** Entries to be acknowledged one by one. */
  get size(): number {
    return this.#entries.size + this.#batches.length;
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0 && this.#batches.length === 0 && this.#cumulative === undefined;
  }

  get cumulative(): CumulativeAck | undefined {
    return this.#cumulative;
  }

  /** Settles for everybody whose acknowledgement is in here; made when first asked for. */
  get receipt(): Deferred<void> {
    this.#receipt ??= new Deferred<void>().ignoreRejection();
    return this.#receipt;
  }

  /** Whether the whole entry is in here, by itself or under the cumulative one. */
  covers(ledger: Int64, entry: Int64): boolean {
    if (this.#entries.has(ledger, entry)) return true;
    const cumulative = this.#cumulative;
    if (cumulative === undefined) return false;
    const order = compareInt64(ledger, cumulative.ledger) || compareInt64(entry, cumulative.entry);
    return order < 0 || (order === 0 && cumulative.batch === undefined);
  }

  addEntry(ledger: Int64, entry: Int64): void {
    this.#entries.set(ledger, entry, true);
  }

  addBatch(batch: BatchAcks): void {
    if (batch.isUnsent) return;
    batch.isUnsent = true;
    this.#batches.push(batch);
  }

  /** Keeps the further one of the cumulative acknowledgements. */
  addCumulative(ack: CumulativeAck): void {
    const present = this.#cumulative;
    if (present === undefined || compareCumulative(present, ack) < 0) this.#cumulative = ack;
  }

  /** Takes back what could not be sent, without overtaking anything newer. */
  addAll(older: PendingAcks): void {
    older.#entries.forEach((_, ledger, entry) => {
      this.addEntry(ledger, entry);
    });
    for (const batch of older.#batches) if (!batch.set.isEmpty) this.addBatch(batch);
    if (older.#cumulative !== undefined) this.addCumulative(older.#cumulative);
    const receipt = older.#receipt;
    if (receipt === undefined) return;
    this.receipt.promise.then(
      () => receipt.resolve(),
      (error: unknown) => receipt.reject(error),
    );
  }

  /** Visits the batches that are acknowledged in part. */
  forEachBatch(visit: (batch: BatchAcks) => void): void {
    for (const batch of this.#batches) visit(batch);
    if (this.#cumulative?.batch !== undefined) visit(this.#cumulative.batch);
  }

  /**
   * The commands that send all this: the cumulative one first, then one for the rest. Marks the batches as sent.
   *
   * @param batchIndexAckEnabled whether a part of a batch may go out as an ack_set. If not, a cumulative acknowledgement
   *   inside a batch covers the entries before it.
   */
  toCommands(batchIndexAckEnabled: boolean): AckBody[] {
    const commands: AckBody[] = [];
    if (this.#cumulative !== undefined) {
      const messageId = [toCumulativeId(this.#cumulative, batchIndexAckEnabled)];
      commands.push({ ackType: AckType.Cumulative, messageId });
    }
    const messageId: MessageIdData[] = [];
    for (const batch of this.#batches) {
      batch.isUnsent = false;
      // Complete by now: the entry is among the whole ones.
      if (!batch.set.isEmpty) messageId.push(toId(batch.ledger, batch.entry, batch.set));
    }
    this.#entries.forEach((_, ledger, entry) => {
      messageId.push(toId(ledger, entry));
    });
    if (messageId.length > 0) commands.push({ ackType: AckType.Individual, messageId });
    return commands;
  }
}

function compareCumulative(a: CumulativeAck, b: CumulativeAck): number {
  if (a.ledger !== b.ledger) return compareInt64(a.ledger, b.ledger);
  if (a.entry !== b.entry) return compareInt64(a.entry, b.entry);
  return a.index < b.index ? -1 : a.index > b.index ? 1 : 0;
}

function toCumulativeId(ack: CumulativeAck, batchIndexAckEnabled: boolean): MessageIdData {
  const { ledger, entry, index, batch } = ack;
  if (batch === undefined) return toId(ledger, entry);
  batch.set.ackCumulative(index);
  if (batch.set.isEmpty) return toId(ledger, entry);
  // The entry before may be -1: nothing of this ledger.
  return batchIndexAckEnabled ? toId(ledger, entry, batch.set) : toId(ledger, before(entry));
}

function before(entry: Int64): Int64 {
  return typeof entry === "number" ? entry - 1 : entry - 1n;
}

function toId(ledgerId: Int64, entryId: Int64, set?: AckSet): MessageIdData {
  return set === undefined ? { ledgerId, entryId } : { ledgerId, entryId, ackSet: set.toWords() };
}
