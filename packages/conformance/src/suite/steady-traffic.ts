import type { Consumer, Producer } from "@pulsewire/client";

/** What became of one producer's traffic. */
export interface TrafficResult {
  /** Numbers whose send was resolved by a receipt, in the order of the sends. */
  readonly resolved: readonly number[];
  /** Codes of the errors that the other sends rejected with. */
  readonly rejected: readonly string[];
}

const mostOpenSends = 500;

/**
 * Sends the numbers from 0 on, one after the other but without waiting for receipts, while something goes wrong. The
 * rate leaves the other side room: a few sends per turn, then until the next millisecond timer.
 */
export class SteadyTraffic {
  readonly #producer: Producer<Uint8Array>;
  readonly #sends: Promise<void>[] = [];
  readonly #resolved: number[] = [];
  readonly #rejected: string[] = [];
  readonly #progress = new Set<() => void>();
  readonly #running: Promise<void>;
  #isStopping = false;

  constructor(producer: Producer<Uint8Array>) {
    this.#producer = producer;
    this.#running = this.#run();
  }

  /** Receipts so far. */
  get receipts(): number {
    return this.#resolved.length;
  }

  /** Resolves when that many more receipts have come. */
  async moreReceipts(count: number): Promise<void> {
    const target = this.#resolved.length + count;
    while (this.#resolved.length < target) {
      await new Promise<void>((resolve) => this.#progress.add(resolve));
    }
  }

  /** Ends the traffic and waits until every send has settled. */
  async stop(): Promise<TrafficResult> {
    this.#isStopping = true;
    await this.#running;
    await Promise.all(this.#sends);
    return { resolved: this.#resolved, rejected: this.#rejected };
  }

  async #run(): Promise<void> {
    for (let number = 0; !this.#isStopping; number++) {
      // Enough to see order and loss; an outage of a minute must not pile up a hundred thousand.
      while (!this.#isStopping && number - this.#resolved.length - this.#rejected.length >= mostOpenSends) {
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      this.#sends.push(
        this.#producer.send({ value: Buffer.from(String(number)) }).then(
          () => this.#onReceipt(number),
          (error: { readonly code: string }) => void this.#rejected.push(error.code),
        ),
      );
      if (number % 5 === 4) await new Promise((resolve) => setTimeout(resolve, 1));
    }
  }

  #onReceipt(number: number): void {
    this.#resolved.push(number);
    for (const resolve of this.#progress) resolve();
    this.#progress.clear();
  }
}

/** Receives and acknowledges numbers from the start on, so that the receiver queue never stays full. */
export class NumberCollector {
  readonly #consumer: Consumer<Uint8Array>;
  readonly #received: number[] = [];
  #checked = 0;
  readonly #stop = new AbortController();
  readonly #progress = new Set<() => void>();
  readonly #running: Promise<void>;

  constructor(consumer: Consumer<Uint8Array>) {
    this.#consumer = consumer;
    this.#running = this.#run();
    // Told by all(), which waits for it.
    this.#running.catch(() => undefined);
  }

  /** Waits until all of `expected` have come; gives back everything that came, in order, and ends the collecting. */
  async all(expected: readonly number[]): Promise<readonly number[]> {
    const missing = new Set(expected);
    for (;;) {
      // Each pass looks only at what has come since the last one.
      for (; this.#checked < this.#received.length; this.#checked++)
        missing.delete(this.#received[this.#checked] ?? -1);
      if (missing.size === 0) break;
      const progress = new Promise<void>((resolve) => this.#progress.add(resolve));
      await Promise.race([progress, this.#running]);
    }
    this.#stop.abort();
    await this.#running;
    return this.#received;
  }

  async #run(): Promise<void> {
    for await (const message of this.#consumer.messages({ signal: this.#stop.signal })) {
      const number = Number(message.data.toString());
      this.#received.push(number);
      await this.#consumer.acknowledge(message);
      for (const resolve of this.#progress) resolve();
      this.#progress.clear();
    }
  }
}

/** The numbers in the order of their first arrival. */
export function firstArrivals(received: readonly number[]): number[] {
  return [...new Set(received)];
}
