import type { PulsarError } from "../errors.ts";
import type { Clock, Timer } from "../util/clock.ts";
import { RingQueue } from "../util/ring-queue.ts";
import { rejected } from "./rejected.ts";

/** How long one receive waits. */
export interface TakeOptions {
  /** Milliseconds; for ever without it. */
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** What to reject with after the timeout; needed with `timeoutMs`. */
  readonly onTimeout?: (() => PulsarError) | undefined;
}

interface Waiter<M> {
  readonly resolve: (message: M) => void;
  readonly reject: (error: unknown) => void;
  readonly signal: AbortSignal | undefined;
  readonly onAbort: (() => void) | undefined;
  timer: Timer | undefined;
}

/**
 * Messages that have arrived and callers that wait for one; at any time at most one of the two is not empty. Callers are
 * served in the order in which they came. A caller that gave up is gone at once, so no message is ever handed to it.
 *
 * It does not bound itself: the permits do. A broker may overshoot them by a batch, and nothing of that may be lost.
 */
export class ReceiveQueue<M> {
  readonly #clock: Clock;
  readonly #onTaken: (message: M) => void;
  readonly #messages: RingQueue<M> = new RingQueue();
  readonly #waiters: Set<Waiter<M>> = new Set();
  #closedWith: PulsarError | undefined;

  /** @param onTaken called for each message at the moment it is handed out */
  constructor(clock: Clock, onTaken: (message: M) => void) {
    this.#clock = clock;
    this.#onTaken = onTaken;
  }

  /** Messages that wait to be taken. */
  get length(): number {
    return this.#messages.length;
  }

  /** Why nothing can be taken any more; undefined while open. */
  get closedWith(): PulsarError | undefined {
    return this.#closedWith;
  }

  /** The message that would be taken next, left in its place. */
  peek(): M | undefined {
    return this.#messages.peek();
  }

  /** Visits the messages that wait, in their order. */
  forEach(visit: (message: M) => void): void {
    for (let index = 0; index < this.#messages.length; index++) visit(this.#messages.at(index) as M);
  }

  /** Adds a message, or hands it to whoever has waited longest. Dropped when closed. */
  push(message: M): void {
    if (this.#waiters.size > 0) {
      for (const waiter of this.#waiters) {
        this.#release(waiter);
        this.#onTaken(message);
        waiter.resolve(message);
        return;
      }
    }
    if (this.#closedWith === undefined) this.#messages.push(message);
  }

  /** Takes the next message if there is one. */
  tryTake(): M | undefined {
    const message = this.#messages.shift();
    if (message !== undefined) this.#onTaken(message);
    return message;
  }

  /** Takes the next message, waiting for it if need be. */
  take(options: TakeOptions): Promise<M> {
    const { signal } = options;
    if (this.#closedWith !== undefined) return rejected(this.#closedWith);
    if (signal?.aborted) return rejected(signal.reason);
    const message = this.tryTake();
    if (message !== undefined) return Promise.resolve(message);
    const taken = new Promise<M>((resolve, reject) => {
      const onAbort = signal === undefined ? undefined : (): void => this.#giveUp(waiter, signal.reason);
      const waiter: Waiter<M> = { resolve, reject, signal, onAbort, timer: undefined };
      this.#waiters.add(waiter);
      if (onAbort !== undefined) signal?.addEventListener("abort", onAbort);
      if (options.timeoutMs !== undefined) {
        waiter.timer = this.#clock.setTimeout(() => this.#giveUp(waiter, options.onTimeout?.()), options.timeoutMs);
      }
    });
    // A close may reject it before its caller comes to look.
    taken.catch(() => {});
    return taken;
  }

  /** Throws the waiting messages away; returns how many there were. Callers go on waiting. */
  clear(): number {
    const count = this.#messages.length;
    this.#messages.clear();
    return count;
  }

  /** Throws away the messages that the test picks, keeping the order of the rest; returns how many there were. */
  removeWhere(test: (message: M) => boolean): number {
    const before = this.#messages.length;
    for (let turn = 0; turn < before; turn++) {
      const message = this.#messages.shift();
      if (message !== undefined && !test(message)) this.#messages.push(message);
    }
    return before - this.#messages.length;
  }

  /** Rejects every caller, now and later, and throws the messages away. */
  close(error: PulsarError): void {
    this.#closedWith ??= error;
    this.clear();
    for (const waiter of this.#waiters) this.#giveUp(waiter, error);
  }

  #giveUp(waiter: Waiter<M>, error: unknown): void {
    this.#release(waiter);
    waiter.reject(error);
  }

  #release(waiter: Waiter<M>): void {
    this.#waiters.delete(waiter);
    this.#clock.clearTimeout(waiter.timer);
    if (waiter.onAbort !== undefined) waiter.signal?.removeEventListener("abort", waiter.onAbort);
  }
}
