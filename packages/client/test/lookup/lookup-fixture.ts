import type { Command, CommandBodies } from "@pulsewire/protocol";
import { noAuthentication } from "../../src/auth/authentication.ts";
import { ConnectionPool } from "../../src/connection/connection-pool.ts";
import { BinaryLookup } from "../../src/lookup/binary-lookup.ts";
import { ServiceHosts } from "../../src/lookup/service-hosts.ts";
import { Limiter } from "../../src/util/limiter.ts";
import { silentLogger } from "../../src/util/logger.ts";
import { FakeBroker, type FakePeer } from "../connection/fake-broker.ts";
import { ManualClock } from "../util/manual-clock.ts";

/** How a fake broker answers one LOOKUP; undefined for silence. */
export type LookupAnswer = Partial<CommandBodies["LOOKUP_RESPONSE"]> | { readonly serverError: number } | undefined;

/** A lookup over brokers that are played by the test. */
export class LookupFixture {
  readonly clock = new ManualClock();
  readonly broker = new FakeBroker();
  readonly hosts: ServiceHosts;
  readonly pool: ConnectionPool;
  readonly inFlight: Limiter;
  readonly lookup: BinaryLookup;
  /** Decides the answer to each LOOKUP. */
  onLookup: (host: string, body: CommandBodies["LOOKUP"]) => LookupAnswer = () => undefined;
  /** Decides the answer to each PARTITIONED_METADATA. */
  onPartitions: (
    body: CommandBodies["PARTITIONED_METADATA"],
  ) => Partial<CommandBodies["PARTITIONED_METADATA_RESPONSE"]> = () => ({ response: 0, partitions: 0 });

  constructor(
    options: {
      readonly hosts?: readonly string[];
      readonly usesTls?: boolean;
      readonly listenerName?: string;
      readonly concurrent?: number;
    } = {},
  ) {
    const { clock, broker } = this;
    const names = options.hosts ?? ["entry"];
    this.hosts = new ServiceHosts(
      names.map((host) => ({ host, port: 6650 })),
      () => 0,
    );
    this.pool = new ConnectionPool({
      dialer: broker.dialer,
      authentication: noAuthentication,
      clock,
      logger: silentLogger,
      connectionTimeoutMs: 10_000,
      keepAliveIntervalMs: 30_000,
      requestTimeoutMs: 30_000,
      connectionsPerBroker: 1,
      random: () => 0,
    });
    this.inFlight = new Limiter(options.concurrent ?? 5000);
    this.lookup = new BinaryLookup({
      pool: this.pool,
      hosts: this.hosts,
      usesTls: options.usesTls ?? false,
      listenerName: options.listenerName,
      maxLookupRedirects: 20,
      inFlight: this.inFlight,
      lookupTimeoutMs: 30_000,
      backoff: { initialMs: 100, maxMs: 60_000 },
      clock,
      random: () => 0,
      logger: silentLogger,
    });
    broker.onCommand = (peer, command) => queueMicrotask(() => this.#answer(peer, command));
  }

  #answer(peer: FakePeer, command: Command): void {
    if (command.type === "PARTITIONED_METADATA") {
      const { requestId } = command.body;
      peer.send("PARTITIONED_METADATA_RESPONSE", { requestId, ...this.onPartitions(command.body) });
    }
    if (command.type !== "LOOKUP") return;
    const { requestId } = command.body;
    const answer = this.onLookup(peer.address.host, command.body);
    if (answer === undefined) return;
    if ("serverError" in answer) peer.send("ERROR", { requestId, error: answer.serverError, message: "" });
    else peer.send("LOOKUP_RESPONSE", { requestId, ...answer });
  }
}
