/** When a run ends: after so many messages or so many seconds, whichever comes first; 0 for no limit of that kind. */
export class Limit {
  readonly #messages: number;
  readonly #endMs: number;

  constructor(messages: number, seconds: number) {
    this.#messages = messages === 0 ? Number.POSITIVE_INFINITY : messages;
    this.#endMs = seconds === 0 ? Number.POSITIVE_INFINITY : performance.now() + seconds * 1000;
  }

  /** The clock is looked at once in 64 messages, as in the other programs. */
  isReached(count: number): boolean {
    return count >= this.#messages || (count % 64 === 0 && performance.now() >= this.#endMs);
  }
}
