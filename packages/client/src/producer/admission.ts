import type { PulsarErrorContext } from "../errors.ts";
import { MemoryBufferIsFullError, ProducerQueueIsFullError } from "../errors.ts";
import type { Limiter } from "../util/limiter.ts";
import { RingQueue } from "../util/ring-queue.ts";
import type { OutgoingMessage } from "./outgoing-message.ts";

/** What may wait for room: a message, or a flush that must come after the messages before it. */
type Waiting =
  | { readonly kind: "message"; readonly message: OutgoingMessage }
  | { readonly kind: "mark"; readonly reached: () => void };

/** A wait for the client's memory by the first message in line. */
interface Acquisition {
  readonly abort: AbortController;
  readonly entry: Waiting;
}

/** How much a producer may have on its way. */
export interface AdmissionOptions {
  /** Messages without receipt; 0 for any number. */
  readonly maxPendingMessages: number;
  /** The client's memory, shared with its other producers. */
  readonly memory: Limiter;
  /** Takes a message that waited; it may not throw. */
  readonly accept: (message: OutgoingMessage) => void;
  /** A flush waits behind messages that find no room: whatever was let in should be on its way. */
  readonly onFlushBlocked: () => void;
}

/**
 * The way in to a producer: counts messages and bytes that have no receipt, and keeps those that must wait in line.
 *
 * A message is let in only when nobody waits, so the order of `send()` calls is the order of publishing. Whatever was
 * let in is given back by {@link leave} exactly once, however it ends; what still waits has taken nothing.
 */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #waiting: RingQueue<Waiting> = new RingQueue();
  #acquisition: Acquisition | undefined;
  #isServing = false;
  #marks = 0;
  #pendingMessages = 0;
  #pendingBytes = 0;

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /** Messages that were let in and have no outcome yet. */
  get pendingMessages(): number {
    return this.#pendingMessages;
  }

  /** Bytes that they count for. */
  get pendingBytes(): number {
    return this.#pendingBytes;
  }

  /** Messages and flushes in line. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Lets a message of this size in if there is room and nobody waits; says whether it did. */
  tryEnter(bytes: number): boolean {
    if (this.#waiting.length > 0 || !this.#hasSlot() || !this.#options.memory.tryAcquire(bytes)) return false;
    this.#pendingMessages += 1;
    this.#pendingBytes += bytes;
    return true;
  }

  /** The error for a message that finds no room and does not wait. */
  fullError(context: PulsarErrorContext): ProducerQueueIsFullError | MemoryBufferIsFullError {
    if (!this.#hasSlot()) {
      return new ProducerQueueIsFullError(`${this.#pendingMessages} messages wait for their receipts`, context);
    }
    return new MemoryBufferIsFullError(
      `messages waiting to be sent hold the client's ${this.#options.memory.limit} bytes`,
      context,
    );
  }

  /** Puts a message in line. */
  wait(message: OutgoingMessage): void {
    this.#waiting.push({ kind: "message", message });
    this.#serve();
  }

  /** Calls back when everything now in line was let in or withdrawn. */
  afterWaiting(reached: () => void): void {
    if (this.#waiting.length === 0) {
      reached();
      return;
    }
    this.#waiting.push({ kind: "mark", reached });
    this.#marks += 1;
    this.#options.onFlushBlocked();
  }

  /** Takes a message out of the line; false when it is not there, because it was let in or ended. */
  withdraw(message: OutgoingMessage): boolean {
    for (let index = 0; index < this.#waiting.length; index++) {
      const entry = this.#waiting.at(index);
      if (entry?.kind !== "message" || entry.message !== message) continue;
      this.#remove(entry);
      this.#serve();
      return true;
    }
    return false;
  }

  /** When the first message in line was handed over; undefined when none waits. */
  oldestWaitingMs(): number | undefined {
    for (let index = 0; index < this.#waiting.length; index++) {
      const entry = this.#waiting.at(index);
      if (entry?.kind === "message") return entry.message.startedAtMs;
    }
    return undefined;
  }

  /** Takes out the messages at the head of the line that were handed over at or before this moment. */
  takeExpired(startedAtMs: number): OutgoingMessage[] {
    const expired: OutgoingMessage[] = [];
    for (let next = this.#waiting.peek(); next !== undefined; next = this.#waiting.peek()) {
      if (next.kind === "message") {
        if (next.message.startedAtMs > startedAtMs) break;
        expired.push(next.message);
      }
      this.#remove(next);
      if (next.kind === "mark") this.#reach(next.reached);
    }
    // The new head may have to ask for memory in its turn.
    this.#serve();
    return expired;
  }

  /** Takes the whole line out. Marks are reached. */
  takeAll(): OutgoingMessage[] {
    this.#cancelAcquisition();
    const messages: OutgoingMessage[] = [];
    for (const entry of this.#waiting.drain()) {
      if (entry.kind === "message") messages.push(entry.message);
      else this.#reach(entry.reached);
    }
    return messages;
  }

  /** Gives back what messages took that now have their outcome, and lets in those that wait for it. */
  leave(messages: number, bytes: number): void {
    this.#pendingMessages -= messages;
    this.#pendingBytes -= bytes;
    this.#options.memory.release(bytes);
    if (this.#waiting.length > 0) this.#serve();
  }

  #hasSlot(): boolean {
    const { maxPendingMessages } = this.#options;
    return maxPendingMessages === 0 || this.#pendingMessages < maxPendingMessages;
  }

  #serve(): void {
    // Accepting a message may settle others, which comes back here: the outer loop goes on with them.
    if (this.#isServing) return;
    this.#isServing = true;
    try {
      for (let next = this.#waiting.peek(); next !== undefined; next = this.#waiting.peek()) {
        if (next.kind === "mark") {
          this.#waiting.shift();
          this.#reach(next.reached);
          continue;
        }
        if (this.#acquisition !== undefined) return;
        if (!this.#hasSlot()) {
          if (this.#marks > 0) this.#options.onFlushBlocked();
          // What could not be encoded has made room.
          if (!this.#hasSlot()) return;
        }
        if (!this.#options.memory.tryAcquire(next.message.sizeBytes)) {
          this.#acquire(next, next.message.sizeBytes);
          if (this.#marks > 0) this.#options.onFlushBlocked();
          return;
        }
        this.#letIn(next.message);
      }
    } finally {
      this.#isServing = false;
    }
  }

  #acquire(entry: Waiting, bytes: number): void {
    const acquisition: Acquisition = { abort: new AbortController(), entry };
    this.#acquisition = acquisition;
    const { memory } = this.#options;
    memory.acquire(bytes, acquisition.abort.signal).then(
      () => {
        if (this.#acquisition !== acquisition) {
          memory.release(bytes);
          return;
        }
        this.#acquisition = undefined;
        if (entry.kind === "message") this.#letIn(entry.message);
        this.#serve();
      },
      () => {},
    );
  }

  #letIn(message: OutgoingMessage): void {
    this.#waiting.shift();
    this.#pendingMessages += 1;
    this.#pendingBytes += message.sizeBytes;
    this.#options.accept(message);
  }

  #reach(reached: () => void): void {
    this.#marks -= 1;
    reached();
  }

  #remove(entry: Waiting): void {
    if (this.#acquisition?.entry === entry) this.#cancelAcquisition();
    this.#waiting.remove(entry);
  }

  #cancelAcquisition(): void {
    const acquisition = this.#acquisition;
    this.#acquisition = undefined;
    acquisition?.abort.abort();
  }
}
