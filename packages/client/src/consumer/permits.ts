/**
 * Counts the permits of one consumer. A permit is the broker's leave to send one more message. The first FLOW after a
 * SUBSCRIBE grants the whole receiver queue; after that every message taken from the queue or thrown away gives its
 * permit back, and a FLOW goes out once half the queue has come together. It never sends anything itself and never asks
 * for a FLOW of zero, on which a broker closes the connection.
 */
export class Permits {
  readonly #queueSize: number;
  readonly #threshold: number;
  #returned = 0;

  /** @param queueSize the receiver queue size in messages, at least 1 */
  constructor(queueSize: number) {
    this.#queueSize = queueSize;
    this.#threshold = Math.max(1, queueSize >> 1);
  }

  /** Permits that have come back and are not granted anew yet. */
  get returned(): number {
    return this.#returned;
  }

  /** Starts over for a new SUBSCRIBE: what the broker granted before is gone with it. Returns the size of the first FLOW. */
  restart(): number {
    this.#returned = 0;
    return this.#queueSize;
  }

  /** Takes permits back. Returns the size of the FLOW that is due now, 0 for none. */
  giveBack(count: number): number {
    const returned = this.#returned + count;
    if (returned < this.#threshold) {
      this.#returned = returned;
      return 0;
    }
    this.#returned = 0;
    return returned;
  }
}
