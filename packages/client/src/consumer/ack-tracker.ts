import { AckSet, compareInt64, type Int64 } from "@pulsewire/protocol";
import { AlreadyClosedError, NotConnectedError, PulsarError } from "../errors.ts";
import type { Clock, Timer } from "../util/clock.ts";
import { EntryMap } from "./entry-map.ts";
import { type AckBody, type BatchAcks, PendingAcks } from "./pending-acks.ts";

/** The way to the broker. */
export interface AckSender {
  /** False while not attached: acknowledgements are kept until {@link AckTracker.flush} is called after that. */
  isReady(): boolean;
  /** Sends an ACK that nobody answers. */
  write(ack: AckBody): void;
  /** Sends an ACK with a request id and waits for ACK_RESPONSE. */
  request(ack: AckBody): Promise<void>;
}

/** How acknowledgements are grouped; see the consumer's options of the same names. */
export interface AckTrackerOptions {
  readonly clock: Clock;
  readonly sender: AckSender;
  readonly acknowledgmentGroupTimeMs: number;
  readonly maxAcknowledgmentGroupSize: number;
  readonly batchIndexAckEnabled: boolean;
  readonly ackReceiptEnabled: boolean;
}

/** What the tracker must know of a received entry; shared by all messages of it. */
export interface AckableEntry {
  readonly ledger: Int64;
  readonly entry: Int64;
  /** Messages in the batch; 0 outside of one. */
  readonly batchSize: number;
  /** The words of `ack_set` with which the entry came. */
  readonly ackSet: readonly Int64[] | undefined;
  /** Belongs to the tracker: saves looking it up for each message. */
  batchAcks: BatchAcks | undefined;
}

/** A group that was sent and whose receipt is waited for. */
interface SentAcks {
  readonly acks: PendingAcks;
  /** The subscription has moved since: sending it again would move it once more. */
  isStale: boolean;
}

/**
 * Batches of which a part is acknowledged that are remembered at most. A batch whose rest went to another consumer of the
 * subscription is never finished here; without a bound those would pile up.
 */
const MAX_OPEN_BATCHES = 10_000;

const DONE: Promise<void> = Promise.resolve();

/**
 * Groups acknowledgements: collects them for a short time or up to a number and sends them in one ACK, a whole batch as
 * one id. What is collected survives a lost connection and is sent after the next SUBSCRIBE; until it has been sent, its
 * redelivered duplicates are recognised. What has been sent is forgotten, so that a message that comes again, since the
 * ACK got lost with its connection, reaches the application again rather than never.
 */
export class AckTracker {
  readonly #options: AckTrackerOptions;
  /** Batches of which a part is acknowledged. */
  readonly #openBatches: EntryMap<BatchAcks> = new EntryMap();
  readonly #unanswered: Set<SentAcks> = new Set();
  #pending: PendingAcks = new PendingAcks();
  #timer: Timer | undefined;
  #isClosed = false;

  constructor(options: AckTrackerOptions) {
    this.#options = options;
  }

  /** Acknowledges one message of an entry. */
  acknowledge(entry: AckableEntry, batchIndex: number): Promise<void> {
    if (entry.batchSize <= 1) return this.acknowledgeEntry(entry.ledger, entry.entry);
    const batch = this.#batchOf(entry);
    if (!batch.set.ack(batchIndex)) return this.#settled();
    if (batch.set.isEmpty) {
      this.#openBatches.delete(batch.ledger, batch.entry);
      return this.acknowledgeEntry(batch.ledger, batch.entry);
    }
    if (!this.#options.batchIndexAckEnabled) return DONE;
    this.#pending.addBatch(batch);
    return this.#added();
  }

  /** Acknowledges an entry with everything in it. */
  acknowledgeEntry(ledger: Int64, entry: Int64): Promise<void> {
    this.#pending.addEntry(ledger, entry);
    return this.#added();
  }

  /** Acknowledges everything up to a message. Never sent for Shared and Key_Shared: a broker would ignore it. */
  acknowledgeCumulative(entry: AckableEntry, batchIndex: number): Promise<void> {
    const { ledger, batchSize } = entry;
    const isWhole = batchSize <= 1 || batchIndex < 0 || batchIndex >= batchSize - 1;
    this.#pending.addCumulative(
      isWhole
        ? { ledger, entry: entry.entry, index: Number.POSITIVE_INFINITY, batch: undefined }
        : { ledger, entry: entry.entry, index: batchIndex, batch: this.#batchOf(entry) },
    );
    if (this.#openBatches.size > (isWhole ? 0 : 1)) this.#forgetOpenBatchesBefore(entry, isWhole);
    return this.#added();
  }

  /** Whether an entry that has just arrived waits as a whole to be acknowledged: it is a duplicate. */
  isAcknowledged(ledger: Int64, entry: Int64): boolean {
    return !this.#pending.isEmpty && this.#pending.covers(ledger, entry);
  }

  /** What is acknowledged in a batch that has just arrived, also if it came before; undefined when nothing is. */
  openBatch(ledger: Int64, entry: Int64): BatchAcks | undefined {
    const batch = this.#openBatches.get(ledger, entry);
    const { cumulative } = this.#pending;
    if (batch !== undefined && cumulative?.batch === batch) batch.set.ackCumulative(cumulative.index);
    return batch;
  }

  /** Sends what is collected, if attached; otherwise it is kept. */
  flush(): void {
    const { sender, batchIndexAckEnabled, ackReceiptEnabled, clock } = this.#options;
    if (this.#pending.isEmpty || !sender.isReady()) return;
    clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    const pending = this.#pending;
    this.#pending = new PendingAcks();
    const commands = pending.toCommands(batchIndexAckEnabled);
    if (ackReceiptEnabled) this.#request(pending, commands);
    else for (const command of commands) sender.write(command);
  }

  /**
   * Event: not attached any more, everything unacknowledged will come again. Only what still waits to be sent is
   * remembered, so that a subscription moved back by an administrator is read again in full. What has no receipt yet may
   * never get one, and is sent again.
   */
  onDisconnected(): void {
    for (const sent of this.#unanswered) {
      if (!sent.isStale) this.#onRequestFailed(sent, new NotConnectedError("disconnected before the receipt"));
    }
    const cumulative = this.#pending.cumulative?.batch;
    this.#openBatches.deleteWhere((batch) => !batch.isUnsent && batch !== cumulative);
  }

  /** Forgets everything, as the subscription moves elsewhere: call {@link flush} before. */
  reset(): void {
    this.#openBatches.clear();
    for (const sent of this.#unanswered) sent.isStale = true;
    this.#drop();
  }

  /** Sends what is collected and waits for the receipts. What could not be sent is redelivered by the broker. */
  async close(): Promise<void> {
    this.flush();
    this.#isClosed = true;
    while (this.#unanswered.size > 0) {
      await Promise.allSettled(Array.from(this.#unanswered, ({ acks }) => acks.receipt.promise));
    }
    this.#openBatches.clear();
    this.#drop();
  }

  #drop(): void {
    const dropped = this.#pending;
    this.#pending = new PendingAcks();
    this.#options.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
    dropped.forEachBatch((batch) => {
      batch.isUnsent = false;
    });
    if (this.#options.ackReceiptEnabled && !dropped.isEmpty) {
      dropped.receipt.reject(
        new AlreadyClosedError("the consumer was closed or moved before the acknowledgement was sent"),
      );
    }
  }

  #batchOf(entry: AckableEntry): BatchAcks {
    if (entry.batchAcks !== undefined) return entry.batchAcks;
    let batch = this.openBatch(entry.ledger, entry.entry);
    if (batch === undefined) {
      const { batchSize, ackSet } = entry;
      const set = ackSet === undefined ? AckSet.ofSize(batchSize) : AckSet.fromWords(ackSet, batchSize);
      batch = { ledger: entry.ledger, entry: entry.entry, set, isUnsent: false };
      if (this.#openBatches.size >= MAX_OPEN_BATCHES) this.#openBatches.deleteOldest();
      this.#openBatches.set(entry.ledger, entry.entry, batch);
    }
    entry.batchAcks = batch;
    return batch;
  }

  #forgetOpenBatchesBefore(entry: AckableEntry, isInclusive: boolean): void {
    this.#openBatches.deleteWhere((_, ledger, id) => {
      const order = compareInt64(ledger, entry.ledger) || compareInt64(id, entry.entry);
      return order < 0 || (isInclusive && order === 0);
    });
  }

  /** Something was added: sends the group when it is due, and gives the promise that belongs to it. */
  #added(): Promise<void> {
    const { acknowledgmentGroupTimeMs, maxAcknowledgmentGroupSize, ackReceiptEnabled, clock } = this.#options;
    const settled = ackReceiptEnabled ? this.#pending.receipt.promise : DONE;
    if (acknowledgmentGroupTimeMs === 0 || this.#pending.size >= maxAcknowledgmentGroupSize) this.flush();
    else this.#timer ??= clock.setTimeout(() => this.#onTimer(), acknowledgmentGroupTimeMs);
    return settled;
  }

  #settled(): Promise<void> {
    return this.#options.ackReceiptEnabled && !this.#pending.isEmpty ? this.#pending.receipt.promise : DONE;
  }

  #onTimer(): void {
    this.#timer = undefined;
    this.flush();
  }

  #request(acks: PendingAcks, commands: readonly AckBody[]): void {
    const sent: SentAcks = { acks, isStale: false };
    this.#unanswered.add(sent);
    Promise.all(commands.map((command) => this.#options.sender.request(command))).then(
      () => {
        if (this.#unanswered.delete(sent)) acks.receipt.resolve();
      },
      (error: unknown) => this.#onRequestFailed(sent, error),
    );
  }

  #onRequestFailed(sent: SentAcks, error: unknown): void {
    if (!this.#unanswered.delete(sent)) return;
    const { acks, isStale } = sent;
    if (this.#isClosed || isStale || !PulsarError.isPulsarError(error) || error.code !== "NOT_CONNECTED") {
      acks.receipt.reject(error);
      return;
    }
    this.#pending.addAll(acks);
    this.#pending.forEachBatch((batch) => {
      if (!batch.set.isEmpty) this.#openBatches.set(batch.ledger, batch.entry, batch);
    });
    this.flush();
  }
}
