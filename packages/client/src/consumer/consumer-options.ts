import type { Schema } from "../schema/schema.ts";
import type { KeySharedPolicy } from "./key-shared-policy.ts";

/** How the consumers of a subscription share its messages. */
export type SubscriptionType = "Exclusive" | "Shared" | "Failover" | "Key_Shared";

/** Where a subscription that does not exist yet starts. */
export type SubscriptionInitialPosition = "Latest" | "Earliest";

/** Whether a subscription outlives its consumers. */
export type SubscriptionMode = "Durable" | "NonDurable";

/** Options of `client.subscribe`. Names and defaults are those of the Java client unless said otherwise. */
export interface ConsumerOptions<T = Uint8Array> {
  /** Topic to consume from, e.g. `orders` or `persistent://tenant/namespace/orders`. */
  readonly topic: string;
  /** Name of the subscription; created if it does not exist. */
  readonly subscription: string;
  /** Default `Exclusive`: one consumer at a time. */
  readonly subscriptionType?: SubscriptionType | undefined;
  /** Default `Latest`. Has no effect on a subscription that exists. */
  readonly subscriptionInitialPosition?: SubscriptionInitialPosition | undefined;
  /** Default `Durable`: the broker keeps what is not acknowledged. A `NonDurable` one ends with its last consumer. */
  readonly subscriptionMode?: SubscriptionMode | undefined;
  /** Name in the broker's statistics; five random letters by default. */
  readonly consumerName?: string | undefined;
  /**
   * Messages that are fetched ahead of the application. Default 1000, at least 1. A batch may exceed it, as the broker
   * sends whole entries.
   */
  readonly receiverQueueSize?: number | undefined;
  /** How payloads become values; raw bytes by default. */
  readonly schema?: Schema<T> | undefined;
  /**
   * Default true (Java: false): acknowledges single messages of a batch at the broker, so that the others alone come
   * again. A broker without `acknowledgmentAtBatchIndexLevelEnabled` ignores that and keeps a batch until all of it is
   * acknowledged; this client then still holds back what was acknowledged before, until it reconnects.
   */
  readonly batchIndexAckEnabled?: boolean | undefined;
  /** Milliseconds for which acknowledgements are collected before they are sent. Default 100; 0 sends each at once. */
  readonly acknowledgmentGroupTimeMs?: number | undefined;
  /** Entries whose acknowledgements are collected at most. Default 1000, at least 1. */
  readonly maxAcknowledgmentGroupSize?: number | undefined;
  /** Default false: `acknowledge` resolves at once. With true it waits for the broker's answer. */
  readonly ackReceiptEnabled?: boolean | undefined;
  /** Milliseconds after which a negatively acknowledged message comes again. Default 60 000; less than 100 count as 100. */
  readonly negativeAckRedeliveryDelayMs?: number | undefined;
  /** Shown in the broker's statistics of the consumer. */
  readonly properties?: Readonly<Record<string, string>> | undefined;
  /** Stored with the subscription when it is created. */
  readonly subscriptionProperties?: Readonly<Record<string, string>> | undefined;
  /** Default 0, the highest. Shared: lower ones get messages when the others have no permits. Failover: who is active. */
  readonly priorityLevel?: number | undefined;
  /** Default false. Reads the compacted topic: the last message of each key. Exclusive and Failover only. */
  readonly readCompacted?: boolean | undefined;
  /** Default false. Keeps the subscription's position in step between clusters. */
  readonly replicateSubscriptionState?: boolean | undefined;
  /** Default false: `seek` to a message id goes on after that message. With true the message itself comes again. */
  readonly startMessageIdInclusive?: boolean | undefined;
  /** How a Key_Shared subscription spreads its keys. The broker's ranges by default. */
  readonly keySharedPolicy?: KeySharedPolicy | undefined;
  /** Default true: a topic that does not exist is created if the broker's settings allow it. */
  readonly forceTopicCreation?: boolean | undefined;
  /** Chunked messages that are put together at the same time at most. Default 10, at least 1. */
  readonly maxPendingChunkedMessages?: number | undefined;
  /** Default false. Acknowledges, and so loses, the oldest incomplete chunked message when there are too many. */
  readonly autoAckOldestChunkedMessageOnQueueFull?: boolean | undefined;
  /** Milliseconds after which an incomplete chunked message is given up. Default 60 000; 0 never. */
  readonly expireTimeOfIncompleteChunkedMessageMs?: number | undefined;
}
