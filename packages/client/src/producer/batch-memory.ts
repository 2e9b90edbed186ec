/** Smaller memory is not worth keeping, larger would be kept for too few. Bytes. */
const SMALLEST_BYTES = 16 * 1024;
const LARGEST_BYTES = 512 * 1024;

/** Buffers come in multiples of this, so that they fit batches of about the same size. Bytes. */
const STEP_BYTES = 16 * 1024;

/**
 * Memory of batches that have their receipts, to be used for the next ones: it spares a busy producer the page faults
 * and the garbage collection of fresh memory for each batch. What is kept is bounded.
 */
export class BatchMemory {
  readonly #maxBytes: number;
  readonly #free: Buffer[] = [];
  #freeBytes = 0;

  /** @param maxBytes bound of what is kept while nobody uses it */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** What is kept, in bytes. */
  get freeBytes(): number {
    return this.#freeBytes;
  }

  /** Memory of at least this size, with anything in it; or the number of bytes to allocate instead. */
  take(bytes: number): Buffer | number {
    if (bytes < SMALLEST_BYTES || bytes > LARGEST_BYTES) return bytes;
    const newest = this.#free.at(-1);
    if (newest !== undefined && newest.length >= bytes) {
      this.#free.pop();
      this.#freeBytes -= newest.length;
      return newest;
    }
    return Math.ceil(bytes / STEP_BYTES) * STEP_BYTES;
  }

  /** Takes memory back that nobody reads or writes any more. */
  giveBack(memory: Buffer): void {
    const { length } = memory;
    if (length < SMALLEST_BYTES || length > LARGEST_BYTES) return;
    // The newest fit the present size of batches; the oldest may not any more.
    while (this.#freeBytes + length > this.#maxBytes) {
      const oldest = this.#free.shift();
      if (oldest === undefined) return;
      this.#freeBytes -= oldest.length;
    }
    this.#free.push(memory);
    this.#freeBytes += length;
  }
}

/** Shared by all producers, as Node shares its own buffer pool. */
export const batchMemory: BatchMemory = new BatchMemory(4 * 1024 * 1024);
