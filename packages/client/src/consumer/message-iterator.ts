import { PulsarError } from "../errors.ts";
import type { Message } from "../message.ts";
import type { ReceiveQueue } from "./receive-queue.ts";

/** What is iterated over. */
export interface MessageStream<T, M extends Message<T>> {
  readonly queue: ReceiveQueue<M>;
  readonly signal: AbortSignal | undefined;
}

/** Iterates over a queue: a message that is there costs one settled promise, no wait. Ends at the close or the abort. */
export class MessageIterator<T, M extends Message<T>> implements AsyncIterableIterator<Message<T>> {
  readonly #stream: MessageStream<T, M>;
  readonly #stop: AbortController = new AbortController();
  /** Ends a wait: the caller's signal or the end of the iteration. */
  readonly #signal: AbortSignal;
  #isDone = false;

  constructor(stream: MessageStream<T, M>) {
    this.#stream = stream;
    const { signal } = this.#stop;
    this.#signal = stream.signal === undefined ? signal : AbortSignal.any([stream.signal, signal]);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<Message<T>, undefined>> {
    if (this.#isDone || this.#signal.aborted) return this.return();
    const message = this.#stream.queue.tryTake();
    if (message === undefined) return this.#waitForNext();
    return Promise.resolve({ done: false, value: message });
  }

  /** Ends the iteration; a `next` that waits ends too, and takes no message with it. */
  return(): Promise<IteratorResult<Message<T>, undefined>> {
    this.#isDone = true;
    this.#stop.abort();
    return Promise.resolve({ done: true, value: undefined });
  }

  #waitForNext(): Promise<IteratorResult<Message<T>, undefined>> {
    const next = this.#wait();
    // The consumer may fail before the loop comes to look.
    next.catch(() => {});
    return next;
  }

  async #wait(): Promise<IteratorResult<Message<T>, undefined>> {
    const signal = this.#signal;
    try {
      const message = await this.#stream.queue.take({ signal });
      return { done: false, value: message };
    } catch (error) {
      this.#isDone = true;
      if (!signal.aborted && !isClosed(error)) throw error;
      return { done: true, value: undefined };
    }
  }
}

function isClosed(error: unknown): boolean {
  return PulsarError.isPulsarError(error) && error.code === "ALREADY_CLOSED";
}
