import type { Clock, Timer } from "../util/clock.ts";

/** What a keep-alive needs. */
export interface KeepAliveOptions {
  readonly intervalMs: number;
  readonly clock: Clock;
  /** Sends a PING. */
  readonly ping: () => void;
  /** The peer has shown no life for a whole interval after a PING. */
  readonly onDead: () => void;
}

/**
 * Asks a silent peer for life: each interval it sends a PING, and gives the peer up when nothing at all has come from it
 * since the PING before. Any frame counts, not only PONG: a peer busy with sending data is alive.
 */
export class KeepAlive {
  readonly #options: KeepAliveOptions;
  #timer: Timer | undefined;
  #isAwaitingLife = false;

  constructor(options: KeepAliveOptions) {
    this.#options = options;
  }

  /** Starts the clock. To be called once. */
  start(): void {
    this.#timer = this.#options.clock.setTimeout(this.#tick, this.#options.intervalMs);
  }

  /** Event: a frame came. */
  onFrame(): void {
    this.#isAwaitingLife = false;
  }

  /** Stops for good. */
  stop(): void {
    this.#options.clock.clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  readonly #tick = (): void => {
    if (this.#isAwaitingLife) {
      this.stop();
      this.#options.onDead();
      return;
    }
    this.#isAwaitingLife = true;
    this.#options.ping();
    this.start();
  };
}
