import type { AdminClient, Cluster, Standalone, StartOptions } from "@pulsewire/apache-pulsar";

/** The brokers that the suite knows. */
export type BrokerName = "apache-pulsar";

/** What a behaviour may need beyond a broker that answers. */
export type Capability = "own-instance" | "cluster";

/** A broker that a behaviour runs against. */
export interface BrokerUnderTest {
  readonly name: BrokerName;
  /** `pulsar://host:port`. */
  readonly serviceUrl: string;
  /** `http://host:port` of admin REST. */
  readonly adminUrl: string;
  readonly admin: AdminClient;
}

/**
 * A broker that only one test file uses: it may be stopped, restarted and killed, each time keeping its data, and have
 * any setting, TLS and tokens.
 */
export type OwnBroker = Standalone;

/** Two or more brokers over the same topics. */
export type OwnCluster = Cluster;

/** One kind of broker: how it is reached and started. */
export interface BrokerAdapter {
  readonly name: BrokerName;
  /** The one that all files share. */
  readonly shared: BrokerUnderTest;
  /** Why a capability is missing in this run, or undefined where it is there. */
  missing(capability: Capability): string | undefined;
  /** Starts an instance for the caller alone. */
  startOwn(options?: StartOptions): Promise<OwnBroker>;
  /** Starts a cluster for the caller alone. */
  startCluster(options?: StartOptions & { readonly brokers?: number }): Promise<OwnCluster>;
}
