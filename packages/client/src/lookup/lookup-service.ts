import type { BrokerAddress } from "../connection/broker-address.ts";

/** How a lookup is made. */
export interface LookupOptions {
  readonly signal?: AbortSignal | undefined;
}

/** How the partitions of a topic are asked for. */
export interface PartitionsOptions extends LookupOptions {
  /**
   * Whether the broker may create a missing topic, if its own settings allow that. Default true. With false a missing
   * topic is TopicNotFoundError, provided that the broker understands the question; older ones create it.
   */
  readonly autoCreate?: boolean | undefined;
}

/** Answers where topics are. */
export interface LookupService {
  /**
   * The broker that serves a topic (one partition of it, if it is partitioned). Rejects with the typed error of the
   * broker, LookupError, or TimeoutError after the lookup timeout.
   */
  lookup(topic: string, options?: LookupOptions): Promise<BrokerAddress>;
  /** Number of partitions; 0 for a topic that is not partitioned, or does not exist yet. */
  partitions(topic: string, options?: PartitionsOptions): Promise<number>;
}
