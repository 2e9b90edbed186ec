import { type CommandLookupTopicResponse, LookupType, PartitionedMetadataLookupType } from "@pulsewire/protocol";
import type { BrokerAddress, HostPort } from "../connection/broker-address.ts";
import type { Connection } from "../connection/connection.ts";
import type { ConnectionPool } from "../connection/connection-pool.ts";
import { LookupError, PulsarError, type PulsarErrorCode, TimeoutError } from "../errors.ts";
import { Backoff, type BackoffOptions } from "../session/backoff.ts";
import type { Clock, Random } from "../util/clock.ts";
import type { Limiter } from "../util/limiter.ts";
import type { Logger } from "../util/logger.ts";
import { sleep } from "../util/sleep.ts";
import { waitFor } from "../util/wait-for.ts";
import { selectBrokerUrl } from "./broker-url.ts";
import type { LookupOptions, LookupService, PartitionsOptions } from "./lookup-service.ts";
import type { ServiceHosts } from "./service-hosts.ts";

/** What a binary lookup is made of. */
export interface BinaryLookupOptions {
  readonly pool: Pick<ConnectionPool, "get">;
  readonly hosts: ServiceHosts;
  /** Whether the service URL is a TLS one: the brokers' TLS addresses are taken then. */
  readonly usesTls: boolean;
  readonly listenerName: string | undefined;
  readonly maxLookupRedirects: number;
  /** Bounds the lookups in flight; the others wait in line. */
  readonly inFlight: Limiter;
  readonly lookupTimeoutMs: number;
  readonly backoff: BackoffOptions;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** One call, with its deadline. */
interface Call {
  readonly topic: string;
  readonly signal: AbortSignal | undefined;
  readonly deadline: number;
  /** The host of the service URL that is asked in this try. */
  host: HostPort;
}

// The host could not be asked at all: the next one is tried at once, each once.
const HOST_FAILED: ReadonlySet<PulsarErrorCode> = new Set(["CONNECT", "NOT_CONNECTED", "TIMEOUT"] as const);
// The host is overloaded or not up yet: later, and elsewhere if there is more than one.
const HOST_BUSY: ReadonlySet<PulsarErrorCode> = new Set(["TOO_MANY_REQUESTS", "SERVICE_NOT_READY"] as const);

/**
 * Lookup over the binary protocol: asks one host of the service URL and follows redirects from there.
 *
 * It retries what another host or a little patience can heal, within the lookup timeout; everything else is its
 * caller's to retry.
 */
export class BinaryLookup implements LookupService {
  readonly #options: BinaryLookupOptions;

  constructor(options: BinaryLookupOptions) {
    this.#options = options;
  }

  lookup(topic: string, options: LookupOptions = {}): Promise<BrokerAddress> {
    return this.#call(topic, options.signal, (call) => this.#follow(call));
  }

  partitions(topic: string, options: PartitionsOptions = {}): Promise<number> {
    return this.#call(topic, options.signal, (call) => this.#askPartitions(call, options.autoCreate ?? true));
  }

  /** Runs one question in its turn, on as many hosts and as often as its deadline allows. */
  async #call<T>(topic: string, signal: AbortSignal | undefined, ask: (call: Call) => Promise<T>): Promise<T> {
    const { inFlight, lookupTimeoutMs, clock, hosts } = this.#options;
    const call: Call = { topic, signal, deadline: clock.monotonicNow() + lookupTimeoutMs, host: hosts.current };
    await this.#takeTurn(call);
    try {
      return await this.#retry(call, ask);
    } finally {
      inFlight.release(1);
    }
  }

  async #takeTurn(call: Call): Promise<void> {
    const { inFlight, lookupTimeoutMs, clock } = this.#options;
    if (inFlight.tryAcquire(1)) return;
    const abort = new AbortController();
    const timer = clock.setTimeout(() => abort.abort(this.#timeout(call.topic)), lookupTimeoutMs);
    const signals = call.signal === undefined ? [abort.signal] : [abort.signal, call.signal];
    await inFlight.acquire(1, AbortSignal.any(signals)).finally(() => clock.clearTimeout(timer));
  }

  async #retry<T>(call: Call, ask: (call: Call) => Promise<T>): Promise<T> {
    const { hosts, clock, random, backoff, logger } = this.#options;
    const delays = new Backoff(backoff, random);
    let untried = hosts.count - 1;
    for (;;) {
      call.host = hosts.current;
      try {
        return await ask(call);
      } catch (error) {
        if (!PulsarError.isPulsarError(error)) throw error;
        const isBusy = HOST_BUSY.has(error.code);
        if (!isBusy && !HOST_FAILED.has(error.code)) throw error;
        hosts.onFailed(call.host);
        if (isBusy) {
          const delayMs = delays.next();
          // Not ready is also a topic's state: only overload is waited for here, the rest by whoever wants the topic.
          if (error.code !== "TOO_MANY_REQUESTS" || clock.monotonicNow() + delayMs >= call.deadline) throw error;
          logger.debug("too many lookups, waiting", { topic: call.topic, delayMs });
          await sleep(delayMs, clock, call.signal);
        } else {
          if (untried === 0 || clock.monotonicNow() >= call.deadline) throw error;
          untried -= 1;
        }
      }
    }
  }

  /** Asks the service host, then each broker that a redirect names. */
  async #follow(call: Call): Promise<BrokerAddress> {
    const { maxLookupRedirects, listenerName } = this.#options;
    const { topic, signal } = call;
    let address: BrokerAddress = { logical: call.host, physical: call.host };
    let authoritative = false;
    for (let redirects = 0; redirects <= maxLookupRedirects; redirects++) {
      const connection = await this.#connect(address, call);
      const answer: CommandLookupTopicResponse = await connection.request(
        "LOOKUP",
        { topic, authoritative, advertisedListenerName: listenerName },
        { topic, signal, timeoutMs: this.#remainingMs(call) },
      );
      const found = answer.response === LookupType.Connect;
      // Failed without an error, or no answer at all: an absent field must not be taken for Redirect, which is 0.
      if (!found && answer.response !== LookupType.Redirect) {
        throw new LookupError(answer.message || "the broker could not look the topic up", { topic });
      }
      address = this.#addressOf(answer, call);
      if (found) return address;
      authoritative = answer.authoritative === true;
    }
    throw new LookupError(`more than ${maxLookupRedirects} redirects`, { topic });
  }

  async #askPartitions(call: Call, autoCreate: boolean): Promise<number> {
    const { topic, signal } = call;
    const connection = await this.#connect({ logical: call.host, physical: call.host }, call);
    // An older broker would take an unknown field for consent.
    const canForbid = connection.features.supportsGetPartitionedMetadataWithoutAutoCreation === true;
    const body = { topic, metadataAutoCreationEnabled: canForbid ? autoCreate : undefined };
    const answer = await connection.request("PARTITIONED_METADATA", body, {
      topic,
      signal,
      timeoutMs: this.#remainingMs(call),
    });
    if (answer.response !== PartitionedMetadataLookupType.Success) {
      throw new LookupError(answer.message || "the broker could not tell the partitions", { topic });
    }
    return answer.partitions ?? 0;
  }

  /** A connection within what is left of the time allowed. */
  #connect(address: BrokerAddress, call: Call): Promise<Connection> {
    const { pool, clock } = this.#options;
    const { signal, topic } = call;
    const onTimeout = (): PulsarError => this.#timeout(topic);
    return waitFor(pool.get(address, signal), { clock, signal, timeoutMs: this.#remainingMs(call), onTimeout });
  }

  /** The broker that an answer names, and how to get there. */
  #addressOf(answer: CommandLookupTopicResponse, call: Call): BrokerAddress {
    const logical = selectBrokerUrl(answer, this.#options.usesTls, call.topic);
    // A proxy, or a broker that cannot be reached at the address it gives itself.
    return { logical, physical: answer.proxyThroughServiceUrl === true ? call.host : logical };
  }

  #remainingMs(call: Call): number {
    return Math.max(1, call.deadline - this.#options.clock.monotonicNow());
  }

  #timeout(topic: string): PulsarError {
    return new TimeoutError(`no answer to the lookup within ${this.#options.lookupTimeoutMs} ms`, { topic });
  }
}
