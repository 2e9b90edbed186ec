import type { Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

/** How bytes are handed to a socket. */
export interface Shape {
  /** Largest number of bytes written at once; a turn of the event loop passes between two writes. Default: no limit. */
  readonly chunkBytes?: number | undefined;
  /** Milliseconds before each write. Default: 0. */
  readonly delayMs?: number | undefined;
}

/**
 * Hands bytes to one socket in order, as its shape says: stalled, in tiny pieces, late, or only up to a limit. It knows
 * nothing of frames. The sender is held back while anything waits here, so memory stays small.
 */
export class ShapedWriter {
  readonly #target: Socket;
  readonly #onLimit: () => void;
  readonly #onIdle: () => void;
  readonly #queue: Buffer[] = [];
  #shape: Shape = {};
  #isStalled = false;
  #isPumping = false;
  #isEnding = false;
  #remainingBytes = Number.POSITIVE_INFINITY;
  #writtenBytes = 0;

  /**
   * @param onLimit called once when the last byte before the limit was handed to the operating system
   * @param onIdle called whenever nothing waits any more
   */
  constructor(target: Socket, onLimit: () => void, onIdle: () => void) {
    this.#target = target;
    this.#onLimit = onLimit;
    this.#onIdle = onIdle;
  }

  /** Bytes handed to the socket so far. */
  get writtenBytes(): number {
    return this.#writtenBytes;
  }

  /** True while bytes wait: the sender should be held back. */
  get isBusy(): boolean {
    return this.#queue.length > 0 || this.#isStalled || this.#isPumping;
  }

  write(bytes: Buffer): void {
    if (bytes.length === 0) return;
    this.#queue.push(bytes);
    this.#pump();
  }

  shape(shape: Shape): void {
    this.#shape = shape;
  }

  stall(): void {
    this.#isStalled = true;
  }

  resume(): void {
    this.#isStalled = false;
    this.#pump();
  }

  /** Closes the socket once everything that waits has been written. */
  end(): void {
    this.#isEnding = true;
    this.#pump();
  }

  /** Lets `bytes` more bytes through and no further ones. */
  limit(bytes: number): void {
    this.#remainingBytes = bytes;
    if (bytes === 0) this.#onLimit();
  }

  /** Lets through what waits already, then `bytes` more, and no further ones. */
  limitAfterQueued(bytes: number): void {
    this.limit(this.#queue.reduce((sum, piece) => sum + piece.length, bytes));
  }

  #pump(): void {
    if (!this.#isPumping) void this.#run();
  }

  async #run(): Promise<void> {
    this.#isPumping = true;
    while (this.#canWrite) {
      const { chunkBytes, delayMs } = this.#shape;
      if (delayMs !== undefined && delayMs > 0) await sleep(delayMs);
      else if (chunkBytes !== undefined) await nextTurn();
      if (this.#canWrite) await this.#writeNext(chunkBytes ?? Number.POSITIVE_INFINITY);
    }
    this.#isPumping = false;
    if (this.isBusy) return;
    if (this.#isEnding) this.#target.destroySoon();
    else this.#onIdle();
  }

  get #canWrite(): boolean {
    return this.#queue.length > 0 && !this.#isStalled && !this.#target.destroyed && this.#remainingBytes > 0;
  }

  async #writeNext(chunkBytes: number): Promise<void> {
    const first = this.#queue[0];
    if (first === undefined) return;
    const size = Math.min(first.length, chunkBytes, this.#remainingBytes);
    if (size === first.length) this.#queue.shift();
    else this.#queue[0] = first.subarray(size);
    this.#remainingBytes -= size;
    this.#writtenBytes += size;
    const isLast = this.#remainingBytes === 0;
    if (this.#target.write(first.subarray(0, size)) && !isLast) return;
    await this.#drained();
    if (isLast) this.#onLimit();
  }

  async #drained(): Promise<void> {
    if (this.#target.writableLength === 0 || this.#target.destroyed) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.#target.off("drain", done);
        this.#target.off("close", done);
        resolve();
      };
      // A write below the high-water mark never drains, so its own callback is awaited instead.
      this.#target.write("", done);
      this.#target.once("drain", done);
      this.#target.once("close", done);
    });
  }
}
