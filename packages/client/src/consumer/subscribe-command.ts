import {
  type CommandSubscribe,
  InitialPosition,
  type KeySharedMeta,
  KeySharedMode,
  type KeyValue,
  SubType,
} from "@pulsewire/protocol";
import type { SubscriptionType } from "./consumer-options.ts";
import type { KeySharedPolicy } from "./key-shared-policy.ts";
import type { ResolvedConsumerOptions } from "./resolve-consumer-options.ts";
import { type StartPosition, toStartMessageId } from "./start-position.ts";

/** What a SUBSCRIBE says besides the options. */
export interface SubscribeState {
  readonly consumerId: number;
  /** Name of the topic, of its partition where it has partitions. */
  readonly topic: string;
  /** Where a non-durable subscription begins; undefined leaves it to the broker. */
  readonly start: StartPosition | undefined;
  /** Seconds before now at which a reader begins, instead of `start`. */
  readonly startMessageRollbackDurationSec: number | undefined;
  /** Number of the last redelivery of everything. */
  readonly consumerEpoch: number;
}

/** Whether a subscription type keeps the order for one consumer: then redelivery is of everything, and has an epoch. */
export function isOrdered(type: SubscriptionType): boolean {
  return type === "Exclusive" || type === "Failover";
}

/** The body of a SUBSCRIBE. */
export function toSubscribe<T>(
  options: ResolvedConsumerOptions<T>,
  state: SubscribeState,
): Omit<CommandSubscribe, "requestId"> {
  const isDurable = options.subscriptionMode === "Durable";
  const { start, startMessageRollbackDurationSec } = state;
  return {
    topic: state.topic,
    subscription: options.subscription,
    subType: SubType[options.subscriptionType],
    consumerId: state.consumerId,
    consumerName: options.consumerName,
    priorityLevel: options.priorityLevel,
    durable: isDurable,
    startMessageId: isDurable || start === undefined ? undefined : toStartMessageId(start),
    metadata: toKeyValues(options.properties),
    readCompacted: options.readCompacted,
    schema: options.schema.info,
    initialPosition: InitialPosition[options.subscriptionInitialPosition],
    replicateSubscriptionState: options.replicateSubscriptionState,
    forceTopicCreation: options.forceTopicCreation,
    startMessageRollbackDurationSec,
    keySharedMeta: toKeySharedMeta(options.keySharedPolicy),
    subscriptionProperties: toKeyValues(options.subscriptionProperties),
    // Shared and Key_Shared have none: without the field, messages come without it too.
    consumerEpoch: isOrdered(options.subscriptionType) ? state.consumerEpoch : undefined,
  };
}

function toKeyValues(properties: Readonly<Record<string, string>>): readonly KeyValue[] | undefined {
  const entries = Object.entries(properties);
  return entries.length === 0 ? undefined : entries.map(([key, value]) => ({ key, value }));
}

function toKeySharedMeta(policy: KeySharedPolicy | undefined): KeySharedMeta | undefined {
  if (policy === undefined) return undefined;
  const { allowOutOfOrderDelivery } = policy;
  switch (policy.mode) {
    case "AutoSplit":
      return { keySharedMode: KeySharedMode.AUTO_SPLIT, allowOutOfOrderDelivery };
    case "Sticky":
      return { keySharedMode: KeySharedMode.STICKY, hashRanges: policy.ranges, allowOutOfOrderDelivery };
  }
}
