import { RingQueue } from "./ring-queue.ts";

interface Waiter {
  readonly amount: number;
  readonly admit: () => void;
}

/**
 * A bound on something countable: bytes held by producers, lookups in flight. Waiters are served strictly in the order
 * in which they came, so a large demand is not overtaken by small ones for ever.
 *
 * A demand larger than the whole limit is admitted when nothing else is taken: otherwise it could never be met.
 */
export class Limiter {
  /** The bound; 0 means none. */
  readonly limit: number;
  #used = 0;
  readonly #waiters: RingQueue<Waiter> = new RingQueue();

  constructor(limit: number) {
    this.limit = limit;
  }

  /** What is taken now. Also counted when there is no bound. */
  get used(): number {
    return this.#used;
  }

  /** Number of waiting demands. */
  get waiting(): number {
    return this.#waiters.length;
  }

  /** Takes the amount if that is possible at once and nobody waits; says whether it did. */
  tryAcquire(amount: number): boolean {
    if (this.#waiters.length > 0 || !this.#fits(amount)) return false;
    this.#used += amount;
    return true;
  }

  /** Takes the amount when it is free. An aborted wait rejects with the signal's reason and takes nothing. */
  acquire(amount: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted) return Promise.reject(signal.reason as Error);
    if (this.tryAcquire(amount)) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        this.#waiters.remove(waiter);
        reject(signal?.reason as Error);
        this.#serve();
      };
      const waiter: Waiter = {
        amount,
        admit: () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        },
      };
      signal?.addEventListener("abort", onAbort);
      this.#waiters.push(waiter);
    });
  }

  /** Gives back what was taken. @throws RangeError when more is given back than was taken */
  release(amount: number): void {
    if (amount > this.#used) throw new RangeError(`released ${amount} of ${this.#used}`);
    this.#used -= amount;
    this.#serve();
  }

  #fits(amount: number): boolean {
    return this.limit === 0 || this.#used + amount <= this.limit || this.#used === 0;
  }

  #serve(): void {
    for (let next = this.#waiters.peek(); next !== undefined && this.#fits(next.amount); next = this.#waiters.peek()) {
      this.#waiters.shift();
      this.#used += next.amount;
      next.admit();
    }
  }
}
