import type { Int64 } from "@pulsewire/protocol";
import { RingQueue } from "../util/ring-queue.ts";
import type { SendOp } from "./send-op.ts";

/** What a receipt turned out to be: for the oldest entry, for one already gone, or for one that is not next in turn. */
export type ReceiptMatch =
  | { readonly kind: "settled"; readonly op: SendOp }
  | { readonly kind: "stale" }
  | { readonly kind: "ahead" };

interface FlushWaiter {
  readonly serial: number;
  readonly resolve: () => void;
}

const STALE: ReceiptMatch = { kind: "stale" };
const AHEAD: ReceiptMatch = { kind: "ahead" };

/**
 * The entries of one producer that have no receipt yet, oldest first, whether written to the present connection or not.
 * It holds order and nothing else: it never settles, encodes, writes or looks at a clock.
 *
 * Entries up to a mark were written to the present connection; {@link rewind} puts the mark back to the oldest entry,
 * so that all are written again, in the same order and before anything new.
 */
export class PendingQueue {
  readonly #ops: RingQueue<SendOp> = new RingQueue(64);
  #written = 0;
  #lastSerial = 0;
  #flushWaiters: FlushWaiter[] = [];

  /** Number of entries. */
  get length(): number {
    return this.#ops.length;
  }

  /** Adds an entry at the end. */
  push(op: SendOp): void {
    this.#lastSerial += 1;
    op.serial = this.#lastSerial;
    this.#ops.push(op);
  }

  /** The oldest entry. */
  peek(): SendOp | undefined {
    return this.#ops.peek();
  }

  /** The oldest entry that is not written yet, left where it is. */
  nextUnwritten(): SendOp | undefined {
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
  takeReceipted(sequenceId: Int64): ReceiptMatch {
    const op = this.#ops.peek();
    if (op === undefined || this.#written === 0) return STALE;
    if (sequenceId < op.sequenceId) return STALE;
    if (sequenceId > op.sequenceId) return AHEAD;
    this.#ops.shift();
    this.#written -= 1;
    return { kind: "settled", op };
  }

  /** Takes out the oldest written entry with this sequence id, wherever it stands. */
  takeWritten(sequenceId: Int64): SendOp | undefined {
    for (let index = 0; index < this.#written; index++) {
      const op = this.#ops.at(index);
      if (op?.sequenceId === sequenceId) return this.#take(op);
    }
    return undefined;
  }

  /** Takes out the entry that {@link nextUnwritten} gave: it cannot be sent. */
  takeUnwritten(): SendOp | undefined {
    const op = this.#ops.at(this.#written);
    return op === undefined ? undefined : this.#take(op);
  }

  /** Takes the oldest entry out if its messages were handed over at or before this moment. */
  takeExpired(startedAtMs: number): SendOp | undefined {
    const op = this.#ops.peek();
    if (op === undefined || op.startedAtMs > startedAtMs) return undefined;
    return this.#take(op);
  }

  /** Takes everything out, oldest first. */
  takeAll(): SendOp[] {
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

  #take(op: SendOp): SendOp {
    const isWritten = this.#isWritten(op);
    this.#ops.remove(op);
    if (isWritten) this.#written -= 1;
    return op;
  }

  #isWritten(op: SendOp): boolean {
    for (let index = 0; index < this.#written; index++) {
      if (this.#ops.at(index) === op) return true;
    }
    return false;
  }
}
