import type { BrokerAddress } from "../connection/broker-address.ts";

/** How a lookup is made. */
export interface LookupOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Answers where topics are. */
export interface LookupService {
  /** The broker that serves a topic (one partition of it, if it is partitioned). */
  lookup(topic: string, options?: LookupOptions): Promise<BrokerAddress>;
  /** Number of partitions; 0 for a topic that is not partitioned, or does not exist yet. */
  partitions(topic: string, options?: LookupOptions): Promise<number>;
}
