import { ProtocolError } from "../errors.ts";
import { type Int64, int64FromParts, int64High, int64Low } from "../int64/int64.ts";

/** Batches larger than this are refused before anything is allocated for them. */
const MAX_BATCH_SIZE = 1 << 24;

/**
 * Which messages of one batch are still to be acknowledged: bit i is 1 while message i is not acknowledged, which is the
 * form that ACK, SEEK and MESSAGE carry as `ack_set`. Mutable, kept per entry by consumers and subscriptions; works on
 * 32-bit numbers and makes 64-bit words only for the wire.
 */
export class AckSet {
  /** Messages in the batch. */
  readonly size: number;
  readonly #bits: Int32Array;
  #remaining: number;

  private constructor(size: number, bits: Int32Array, remaining: number) {
    this.size = size;
    this.#bits = bits;
    this.#remaining = remaining;
  }

  /**
   * A set for a batch of which nothing is acknowledged.
   *
   * @param size messages in the batch, 0 to 16 777 216
   * @throws ProtocolError `INVALID_ARGUMENT`
   */
  static ofSize(size: number): AckSet {
    const bits = new Int32Array(wordsFor(size)).fill(-1);
    clearAbove(bits, size);
    return new AckSet(size, bits, size);
  }

  /**
   * A set from the words of the wire; words that are missing count as acknowledged, bits beyond the batch are dropped.
   *
   * @param size messages in the batch, default as many as the words have bits
   * @throws ProtocolError `INVALID_ARGUMENT`
   */
  static fromWords(words: readonly Int64[], size: number = words.length * 64): AckSet {
    const bits = bitsOf(words, wordsFor(size));
    clearAbove(bits, size);
    return new AckSet(size, bits, countOnes(bits));
  }

  /** Messages not yet acknowledged. */
  get remaining(): number {
    return this.#remaining;
  }

  /** True when every message of the batch is acknowledged. */
  get isEmpty(): boolean {
    return this.#remaining === 0;
  }

  /** True while the message at `index` is not acknowledged; false outside of the batch. */
  isUnacknowledged(index: number): boolean {
    return index >= 0 && index < this.size && (((this.#bits[index >>> 5] as number) >>> (index & 31)) & 1) === 1;
  }

  /** Acknowledges one message. Returns true when it was not acknowledged before. */
  ack(index: number): boolean {
    if (!this.isUnacknowledged(index)) return false;
    this.#bits[index >>> 5] = (this.#bits[index >>> 5] as number) & ~(1 << (index & 31));
    this.#remaining--;
    return true;
  }

  /** Acknowledges all messages up to and including `index`. Returns how many were not acknowledged before. */
  ackCumulative(index: number): number {
    const before = this.#remaining;
    const stop = Math.min(index + 1, this.size);
    if (stop <= 0) return 0;
    this.#bits.fill(0, 0, stop >>> 5);
    if ((stop & 31) !== 0) this.#bits[stop >>> 5] = (this.#bits[stop >>> 5] as number) & (-1 << (stop & 31));
    this.#remaining = countOnes(this.#bits);
    return before - this.#remaining;
  }

  /**
   * Acknowledges what another set has acknowledged, as a broker does with the words of an ACK. Returns how many were not
   * acknowledged before.
   */
  ackWords(words: readonly Int64[]): number {
    const before = this.#remaining;
    const other = bitsOf(words, this.#bits.length);
    for (let i = 0; i < other.length; i++) this.#bits[i] = (this.#bits[i] as number) & (other[i] as number);
    this.#remaining = countOnes(this.#bits);
    return before - this.#remaining;
  }

  /** The words for the wire, trailing zero words dropped: none at all when everything is acknowledged. */
  toWords(): Int64[] {
    const words: Int64[] = [];
    let last = this.#bits.length - 1;
    while (last >= 0 && this.#bits[last] === 0) last--;
    for (let i = 0; i <= last; i += 2) words.push(int64FromParts(this.#bits[i] as number, this.#bits[i + 1] ?? 0));
    return words;
  }

  /** An independent copy. */
  clone(): AckSet {
    return new AckSet(this.size, this.#bits.slice(), this.#remaining);
  }
}

function wordsFor(size: number): number {
  if (!Number.isInteger(size) || size < 0 || size > MAX_BATCH_SIZE) {
    throw new ProtocolError(
      "INVALID_ARGUMENT",
      `batch size must be an integer from 0 to ${MAX_BATCH_SIZE}, got ${size}`,
    );
  }
  return (size + 31) >>> 5;
}

function bitsOf(words: readonly Int64[], length: number): Int32Array {
  const bits = new Int32Array(length);
  for (let i = 0; i < length; i += 2) {
    const word = words[i >>> 1] ?? 0;
    bits[i] = int64Low(word);
    if (i + 1 < length) bits[i + 1] = int64High(word);
  }
  return bits;
}

function clearAbove(bits: Int32Array, size: number): void {
  const last = bits.length - 1;
  if ((size & 31) !== 0) bits[last] = (bits[last] as number) & ~(-1 << (size & 31));
}

function countOnes(bits: Int32Array): number {
  let count = 0;
  for (let i = 0; i < bits.length; i++) {
    let word = bits[i] as number;
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}
