import type { ClientContext, Closable } from "./client-context.ts";
import type { Connection } from "./connection/connection.ts";
import { ConnectionPool } from "./connection/connection-pool.ts";
import type { Dialer } from "./connection/dialer.ts";
import { createSocketDialer } from "./connection/socket-dialer.ts";
import { BinaryLookup } from "./lookup/binary-lookup.ts";
import { LookupConnector } from "./lookup/lookup-connector.ts";
import { ServiceHosts } from "./lookup/service-hosts.ts";
import type { ResolvedClientOptions } from "./options/client-options.ts";
import { type Clock, type Random, systemClock } from "./util/clock.ts";
import { Limiter } from "./util/limiter.ts";

/** What a client takes from the computer it runs on; tests put their own in. */
export interface ClientEnvironment {
  readonly clock: Clock;
  readonly random: Random;
  readonly dialer: Dialer;
}

/** What a client wants to hear of its machinery. */
export interface RuntimeEvents {
  readonly onOpened: (connection: Connection) => void;
  readonly onClosed: (connection: Connection, error: Error) => void;
  readonly onForgotten: (closable: Closable) => void;
}

/** The machinery of a client. */
export interface ClientRuntime {
  readonly context: ClientContext;
  readonly pool: ConnectionPool;
}

/** Puts a client's pool, lookup and limits together. Nothing is connected before it is needed. */
export function createClientRuntime(
  options: ResolvedClientOptions,
  environment: Partial<ClientEnvironment>,
  events: RuntimeEvents,
): ClientRuntime {
  const { logger, backoff, operationTimeoutMs, usesTls } = options;
  const clock = environment.clock ?? systemClock;
  const random = environment.random ?? Math.random;
  const dialer = environment.dialer ?? createSocketDialer(usesTls ? options.tls : undefined);
  const { onOpened, onClosed } = events;
  const pool = new ConnectionPool({
    ...options,
    dialer,
    clock,
    random,
    requestTimeoutMs: operationTimeoutMs,
    onOpened,
    onClosed,
  });
  const hosts = new ServiceHosts(options.hosts, random);
  const inFlight = new Limiter(options.concurrentLookupRequests);
  const lookup = new BinaryLookup({ ...options, pool, hosts, inFlight, clock, random });
  let producerId = 0;
  let consumerId = 0;
  const context: ClientContext = {
    connector: new LookupConnector({ lookup, pool, hosts, usesTls }),
    lookup,
    clock,
    random,
    logger,
    backoff,
    operationTimeoutMs,
    memoryLimiter: new Limiter(options.memoryLimitBytes),
    nextProducerId: () => producerId++,
    nextConsumerId: () => consumerId++,
    onClosed: events.onForgotten,
  };
  return { context, pool };
}
