import type { Int64 } from "@pulsewire/protocol";
import { RingQueue } from "../util/ring-queue.ts";
import type { SendOp } from "./send-op.ts";

/** What a receipt turned out to be: for the oldest entry, for one already gone, or for one that is not next in turn. */
export type ReceiptMatch<Id> =
  | { readonly kind: "settled"; readonly op: SendOp<Id> }
  | { readonly kind: "stale" }
  | { readonly kind: "ahead" };

interface FlushWaiter {
  readonly serial: number;
  readonly resolve: () => void;
}

const STALE = { kind: "stale" } as const;
const AHEAD = { kind: "ahead" } as const;

/**
 * The entries of one producer that have no receipt yet, oldest first, whether written to the present connection or not.
 * It holds order and nothing else: it never settles, encodes, writes or looks at a clock.
 *
 * Entries up to a mark were written to the present connection; {@link rewind} puts the mark back to the oldest entry,
 * so that all are written again, in the same order and before anything new.
 */
export class PendingQueue<Id> {
  readonly #ops: RingQueue<SendOp<Id>> = new RingQueue(64);
  #written = 0;
  #lastSerial = 0;
  #flushWaiters: FlushWaiter[] = [];

  /** Number of entries. */
  get length(): number {
    return this.#ops.length;
  }

  /** Adds an entry at the end. */
  push(op: SendOp<Id>): void {
    this.#lastSerial += 1;
    op.serial = this.#lastSerial;
    this.#ops.push(op);
  }

  /** The oldest entry. */
  peek(): SendOp<Id> | undefined {
    return this.#ops.peek();
  }

  /** The oldest entry that is not written yet, left where it is. */
  nextUnwritten(): SendOp<Id> | undefined {
    return this.#ops.at(this.#written);
  }

  /** Counts the entry that {@link nextUnwritten} gave as written. */
  markWritten(): void {
    this.#written += 1;
  }

  /** Every entry counts as not written: the connection is gone, or the broker asked for all of them again. */
  rewind(): void {
    this.#written = 0;
  }

  /**
   * Matches a receipt with the oldest entry and takes that entry out if it is the one. Receipts come in the order of
   * the sends, so a lower sequence id belongs to an entry that was given up, and a higher one means that a receipt was
   * lost. An entry that is not written yet has no receipt either.
   */
  takeReceipted(sequenceId: Int64): ReceiptMatch<Id> {
    const op = this.#ops.peek();
    if (op === undefined || this.#written === 0) return STALE;
    if (sequenceId < op.sequenceId) return STALE;
    if (sequenceId > op.sequenceId) return AHEAD;
    this.#ops.shift();
    this.#written -= 1;
    return { kind: "settled", op };
  }

  /** The oldest written entry with this sequence id, left where it is. */
  findWritten(sequenceId: Int64): SendOp<Id> | undefined {
    for (let index = 0; index < this.#written; index++) {
      const op = this.#ops.at(index);
      if (op?.sequenceId === sequenceId) return op;
    }
    return undefined;
  }

  /** Takes out what {@link findWritten} gives. */
  takeWritten(sequenceId: Int64): SendOp<Id> | undefined {
    const op = this.findWritten(sequenceId);
    if (op === undefined) return undefined;
    this.#ops.remove(op);
    this.#written -= 1;
    return op;
  }

  /** Takes out the entries that are not written yet and meet the condition, oldest first. */
  takeUnwrittenIf(condition: (op: SendOp<Id>) => boolean): SendOp<Id>[] {
    const taken: SendOp<Id>[] = [];
    for (let index = this.#written; index < this.#ops.length; index++) {
      const op = this.#ops.at(index);
      if (op !== undefined && condition(op)) taken.push(op);
    }
    for (const op of taken) this.#ops.remove(op);
    return taken;
  }

  /** Takes the oldest entry out if its messages were handed over at or before this moment. */
  takeExpired(startedAtMs: number): SendOp<Id> | undefined {
    const op = this.#ops.peek();
    if (op === undefined || op.startedAtMs > startedAtMs) return undefined;
    this.#ops.shift();
    if (this.#written > 0) this.#written -= 1;
    return op;
  }

  /** Takes everything out, oldest first. */
  takeAll(): SendOp<Id>[] {
    this.#written = 0;
    return this.#ops.drain();
  }

  /** Calls back once every entry that is in the queue now has left it: at once when there is none. */
  whenSettled(resolve: () => void): void {
    if (this.#ops.length === 0) resolve();
    else this.#flushWaiters.push({ serial: this.#lastSerial, resolve });
  }

  /** Tells those who wait in {@link whenSettled}. To be called after the promises of what was taken out are settled. */
  notifySettled(): void {
    if (this.#flushWaiters.length === 0) return;
    const oldest = this.#ops.peek()?.serial ?? this.#lastSerial + 1;
    const due = this.#flushWaiters.filter((waiter) => waiter.serial < oldest);
    if (due.length === 0) return;
    this.#flushWaiters = this.#flushWaiters.filter((waiter) => waiter.serial >= oldest);
    for (const waiter of due) waiter.resolve();
  }
}
