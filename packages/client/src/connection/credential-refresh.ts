import type { Authentication } from "../auth/authentication.ts";
import type { Clock, Timer } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";
import type { BrokerAddress } from "./broker-address.ts";
import { encodeAuthResponse } from "./handshake.ts";

// The broker gives a minute, by default, before it closes the connection.
const RETRY_MS = 1000;

/** What a refresh needs. */
export interface CredentialRefreshOptions {
  readonly address: BrokerAddress;
  readonly authentication: Authentication;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** Sends a frame. */
  readonly write: (frame: Uint8Array) => void;
}

/**
 * Answers the AUTH_CHALLENGE that comes when a credential has expired. Credentials that cannot be had are asked for
 * again each second, until they are there or the broker closes the connection.
 */
export class CredentialRefresh {
  readonly #options: CredentialRefreshOptions;
  #timer: Timer | undefined;
  #challenges = 0;

  constructor(options: CredentialRefreshOptions) {
    this.#options = options;
  }

  /** Event: AUTH_CHALLENGE came. A newer challenge replaces an older one. */
  onChallenge(challenge: Uint8Array | undefined): void {
    this.#options.clock.clearTimeout(this.#timer);
    this.#challenges += 1;
    void this.#answer(challenge, this.#challenges);
  }

  /** Stops for good. */
  stop(): void {
    this.#challenges = Number.NaN;
    this.#options.clock.clearTimeout(this.#timer);
  }

  async #answer(challenge: Uint8Array | undefined, number: number): Promise<void> {
    const { authentication, address, signal, write, clock, logger } = this.#options;
    try {
      const frame = await encodeAuthResponse(authentication, address, challenge, signal);
      if (number === this.#challenges) write(frame);
    } catch (error) {
      if (number !== this.#challenges) return;
      logger.warn("the credentials could not be renewed, trying again", { error });
      this.#timer = clock.setTimeout(() => void this.#answer(challenge, number), RETRY_MS);
    }
  }
}
