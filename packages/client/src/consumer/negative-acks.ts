import type { Int64 } from "@pulsewire/protocol";
import type { Clock, Timer } from "../util/clock.ts";
import { EntryMap } from "./entry-map.ts";

/** An entry of a topic, e.g. one to be delivered again; for a chunked message each chunk is one. */
export interface EntryPosition {
  readonly ledger: Int64;
  readonly entry: Int64;
}

/** Shortest delay, as in the Java client: below it a broker and a failing consumer would only spin. */
const MIN_DELAY_MS = 100;

/** Due times are rounded to 256 ms as in the Java client, finer for short delays, so that entries share a command. */
const MAX_PRECISION_MS = 256;

/**
 * Remembers what was acknowledged negatively until its delay is over, then names it all in one go. A broker knows
 * nothing of a negative acknowledgement until then. One timer runs for the earliest due time, none when nothing waits.
 */
export class NegativeAcks {
  readonly #clock: Clock;
  readonly #delayMs: number;
  readonly #precisionMs: number;
  readonly #redeliver: (entries: readonly EntryPosition[]) => void;
  /** Due time of each entry. */
  readonly #due: EntryMap<number> = new EntryMap();
  /** Entries by due time. The delay is always the same, so the times come in order. */
  readonly #buckets: Map<number, EntryPosition[]> = new Map();
  #timer: Timer | undefined;

  /**
   * @param delayMs milliseconds from the negative acknowledgement to the redelivery
   * @param redeliver called with the entries that are due
   */
  constructor(clock: Clock, delayMs: number, redeliver: (entries: readonly EntryPosition[]) => void) {
    this.#clock = clock;
    this.#delayMs = Math.max(delayMs, MIN_DELAY_MS);
    this.#precisionMs = Math.min(MAX_PRECISION_MS, 2 ** Math.floor(Math.log2(this.#delayMs / 8)));
    this.#redeliver = redeliver;
  }

  /** Entries that wait for their time. */
  get size(): number {
    return this.#due.size;
  }

  /** Adds an entry; one that waits already keeps its time, so a batch comes back once. */
  add(ledger: Int64, entry: Int64): void {
    if (this.#due.has(ledger, entry)) return;
    const due = Math.ceil((this.#clock.monotonicNow() + this.#delayMs) / this.#precisionMs) * this.#precisionMs;
    const bucket = this.#buckets.get(due);
    if (bucket === undefined) this.#buckets.set(due, [{ ledger, entry }]);
    else bucket.push({ ledger, entry });
    this.#due.set(ledger, entry, due);
    if (this.#timer === undefined) this.#arm();
  }

  /** Forgets an entry, e.g. since it was acknowledged after all. */
  delete(ledger: Int64, entry: Int64): void {
    if (this.#due.size > 0) this.#due.delete(ledger, entry);
  }

  /** Forgets everything: the broker redelivers by itself, or the consumer is closed. */
  clear(): void {
    this.#due.clear();
    this.#buckets.clear();
    this.#clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #arm(): void {
    for (const due of this.#buckets.keys()) {
      this.#timer = this.#clock.setTimeout(() => this.#onTimer(), Math.max(0, due - this.#clock.monotonicNow()));
      return;
    }
  }

  #onTimer(): void {
    this.#timer = undefined;
    const now = this.#clock.monotonicNow();
    const entries: EntryPosition[] = [];
    for (const [due, bucket] of this.#buckets) {
      if (due > now) break;
      this.#buckets.delete(due);
      // An entry that was deleted and added again stands in two buckets; its own time decides.
      for (const position of bucket) {
        if (this.#due.get(position.ledger, position.entry) !== due) continue;
        this.#due.delete(position.ledger, position.entry);
        entries.push(position);
      }
    }
    this.#arm();
    if (entries.length > 0) this.#redeliver(entries);
  }
}
