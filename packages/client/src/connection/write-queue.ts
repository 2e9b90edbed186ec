import type { Transport } from "./dialer.ts";

// Above this, senders are asked to keep their frames to themselves. It holds several full batches.
const HIGH_WATER_BYTES = 1024 * 1024;

/**
 * Sends frames to a transport so that all frames of one tick leave in one system call, and tells senders when the
 * transport is behind.
 */
export class WriteQueue {
  readonly #transport: Transport;
  #isCorked = false;
  #isClosed = false;
  #waiting: (() => void)[] = [];

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Bytes that wait for the operating system. */
  get queuedBytes(): number {
    return this.#transport.queuedBytes;
  }

  /** Whether more than 1 MiB waits. */
  get isBehind(): boolean {
    return this.#transport.queuedBytes >= HIGH_WATER_BYTES;
  }

  /** Queues a frame; dropped after {@link close}. Returns false when more than 1 MiB waits. */
  write(frame: Uint8Array): boolean {
    if (this.#isClosed) return true;
    if (!this.#isCorked) {
      this.#isCorked = true;
      this.#transport.cork();
      // Runs when the current callback and all promise reactions to it are through: a whole chunk's worth of answers.
      process.nextTick(this.#uncork);
    }
    this.#transport.write(frame);
    return !this.isBehind;
  }

  /** Calls once when the transport is not behind: in a microtask if it is not now. Never calls after {@link close}. */
  onceDrained(callback: () => void): void {
    if (this.#isClosed) return;
    if (this.isBehind) this.#waiting.push(callback);
    else queueMicrotask(callback);
  }

  /** Event: the transport has drained. */
  onDrain(): void {
    const callbacks = this.#waiting;
    if (callbacks.length === 0) return;
    this.#waiting = [];
    for (const callback of callbacks) queueMicrotask(callback);
  }

  /** Drops everything from now on. What was written in this tick is still handed to the transport. */
  close(): void {
    if (this.#isClosed) return;
    this.#uncork();
    this.#isClosed = true;
    this.#waiting = [];
  }

  readonly #uncork = (): void => {
    if (!this.#isCorked) return;
    this.#isCorked = false;
    this.#transport.uncork();
  };
}
