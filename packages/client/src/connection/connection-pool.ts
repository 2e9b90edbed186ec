import type { Authentication } from "../auth/authentication.ts";
import { AlreadyClosedError } from "../errors.ts";
import type { Clock, Random } from "../util/clock.ts";
import type { Logger } from "../util/logger.ts";
import { waitFor } from "../util/wait-for.ts";
import { BinaryConnection } from "./binary-connection.ts";
import { type BrokerAddress, formatHostPort } from "./broker-address.ts";
import type { Connection } from "./connection.ts";
import type { Dialer } from "./dialer.ts";

/** What a pool makes its connections with. */
export interface ConnectionPoolOptions {
  readonly dialer: Dialer;
  readonly authentication: Authentication;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly connectionTimeoutMs: number;
  readonly keepAliveIntervalMs: number;
  readonly requestTimeoutMs: number;
  /** Connections to each broker, one of which is chosen by chance each time. */
  readonly connectionsPerBroker: number;
  readonly random: Random;
  /** Told of each connection that passed its handshake and of its end. */
  readonly onOpened?: ((connection: Connection) => void) | undefined;
  readonly onClosed?: ((connection: Connection, error: Error) => void) | undefined;
}

/** A connection that is open or on its way to be. */
interface Slot {
  readonly connection: BinaryConnection;
  readonly opened: Promise<void>;
}

/**
 * The connections of a client, by broker, socket address and place. Whoever asks for the same one at the same time
 * shares one attempt; a failed attempt or a lost connection is forgotten at once, so the next call dials anew.
 */
export class ConnectionPool {
  readonly #options: ConnectionPoolOptions;
  readonly #slots: Map<string, Slot> = new Map();
  #isClosed = false;
  #nextId = 1;

  constructor(options: ConnectionPoolOptions) {
    this.#options = options;
  }

  /** Number of connections, open and on their way. */
  get size(): number {
    return this.#slots.size;
  }

  /** An open connection to a broker. An aborted wait leaves the attempt running for others. */
  async get(address: BrokerAddress, signal?: AbortSignal): Promise<Connection> {
    signal?.throwIfAborted();
    if (this.#isClosed) throw closedError();
    const { clock, connectionsPerBroker, random } = this.#options;
    // Not in turn: the steps of making a producer are regular, so that some places would see lookups only.
    const place = Math.floor(random() * connectionsPerBroker);
    const key = `${formatHostPort(address.logical)} ${formatHostPort(address.physical)} ${place}`;
    const slot = this.#slots.get(key) ?? this.#dial(key, address);
    // An attempt has a deadline of its own.
    await waitFor(slot.opened, { signal, clock, onTimeout: closedError });
    return slot.connection;
  }

  /** Closes all connections; those on their way fail. Idempotent; the pool gives no connection afterwards. */
  close(): void {
    this.#isClosed = true;
    for (const { connection } of this.#slots.values()) connection.close(closedError());
    this.#slots.clear();
  }

  #dial(key: string, address: BrokerAddress): Slot {
    const { onOpened, onClosed } = this.#options;
    let hasOpened = false;
    const connection = new BinaryConnection({
      ...this.#options,
      id: this.#nextId++,
      address,
      onClosed: (closed, error) => {
        if (this.#slots.get(key)?.connection === connection) this.#slots.delete(key);
        if (hasOpened) onClosed?.(closed, error);
      },
    });
    const opened = connection.open().then(() => {
      hasOpened = true;
      onOpened?.(connection);
    });
    // Whoever waits is told; when nobody does, nobody misses it.
    opened.catch(() => {});
    const slot: Slot = { connection, opened };
    this.#slots.set(key, slot);
    return slot;
  }
}

function closedError(): AlreadyClosedError {
  return new AlreadyClosedError("the client is closed");
}
