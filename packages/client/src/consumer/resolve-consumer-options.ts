import { OptionReader } from "../options/option-reader.ts";
import type { Schema as SchemaType } from "../schema/schema.ts";
import { Schema } from "../schema/schema.ts";
import type { Random } from "../util/clock.ts";
import type { ConsumerOptions, SubscriptionType } from "./consumer-options.ts";
import { isKeySharedPolicy, KEY_SHARED_POLICY_RULE, type KeySharedPolicy } from "./key-shared-policy.ts";

/** The options with every default filled in. Only the Key_Shared policy may be absent: the broker then decides. */
export type ResolvedConsumerOptions<T> = Readonly<
  { [K in Exclude<keyof ConsumerOptions<T>, "keySharedPolicy">]-?: Exclude<ConsumerOptions<T>[K], undefined> } & {
    keySharedPolicy: KeySharedPolicy | undefined;
  }
>;

const SUBSCRIPTION_TYPES: readonly SubscriptionType[] = ["Exclusive", "Shared", "Failover", "Key_Shared"];

const NAME_LENGTH = 5;

/**
 * Fills in the defaults.
 *
 * @param random picks the letters of a default name
 * @throws InvalidConfigurationError listing every option that cannot be used
 */
export function resolveConsumerOptions<T>(options: ConsumerOptions<T>, random: Random): ResolvedConsumerOptions<T> {
  const read = new OptionReader("consumer options", options);
  const resolved: ResolvedConsumerOptions<T> = {
    topic: read.requiredText("topic"),
    subscription: read.requiredText("subscription"),
    subscriptionType: read.oneOf("subscriptionType", SUBSCRIPTION_TYPES, "Exclusive"),
    subscriptionInitialPosition: read.oneOf("subscriptionInitialPosition", ["Latest", "Earliest"], "Latest"),
    subscriptionMode: read.oneOf("subscriptionMode", ["Durable", "NonDurable"], "Durable"),
    consumerName: read.text("consumerName") ?? randomName(random),
    receiverQueueSize: read.integer("receiverQueueSize", { default: 1000, min: 1 }),
    schema: readSchema(read),
    batchIndexAckEnabled: read.boolean("batchIndexAckEnabled", true),
    acknowledgmentGroupTimeMs: read.integer("acknowledgmentGroupTimeMs", { default: 100, min: 0 }),
    maxAcknowledgmentGroupSize: read.integer("maxAcknowledgmentGroupSize", { default: 1000, min: 1 }),
    ackReceiptEnabled: read.boolean("ackReceiptEnabled", false),
    negativeAckRedeliveryDelayMs: read.integer("negativeAckRedeliveryDelayMs", { default: 60_000, min: 0 }),
    properties: read.properties("properties"),
    subscriptionProperties: read.properties("subscriptionProperties"),
    priorityLevel: read.integer("priorityLevel", { default: 0, min: 0, max: 2_147_483_647 }),
    readCompacted: read.boolean("readCompacted", false),
    replicateSubscriptionState: read.boolean("replicateSubscriptionState", false),
    startMessageIdInclusive: read.boolean("startMessageIdInclusive", false),
    keySharedPolicy: read.value("keySharedPolicy", undefined, isKeySharedPolicy, KEY_SHARED_POLICY_RULE),
    forceTopicCreation: read.boolean("forceTopicCreation", true),
    maxPendingChunkedMessages: read.integer("maxPendingChunkedMessages", { default: 10, min: 1 }),
    autoAckOldestChunkedMessageOnQueueFull: read.boolean("autoAckOldestChunkedMessageOnQueueFull", false),
    expireTimeOfIncompleteChunkedMessageMs: read.integer("expireTimeOfIncompleteChunkedMessageMs", {
      default: 60_000,
      min: 0,
    }),
  };
  checkCombinations(read, resolved);
  read.finish();
  return Object.freeze(resolved);
}

/** A schema, or raw bytes where none is given: then T is Uint8Array. */
export function readSchema<T>(read: OptionReader): SchemaType<T> {
  const fallback = Schema.bytes as SchemaType<unknown> as SchemaType<T>;
  return read.value("schema", fallback, isSchema<T>, "a Schema");
}

/** A name as the Java client makes them: a few random letters. */
export function randomName(random: Random, length: number = NAME_LENGTH): string {
  return Array.from({ length }, () => String.fromCharCode(97 + Math.floor(random() * 26))).join("");
}

function isSchema<T>(value: unknown): value is SchemaType<T> {
  if (typeof value !== "object" || value === null) return false;
  const { encode, decode } = value as Readonly<Record<string, unknown>>;
  return typeof encode === "function" && typeof decode === "function";
}

function checkCombinations<T>(read: OptionReader, options: ResolvedConsumerOptions<T>): void {
  const { subscriptionType, readCompacted, keySharedPolicy } = options;
  if (readCompacted && (subscriptionType === "Shared" || subscriptionType === "Key_Shared")) {
    read.problem("readCompacted", true, `false for a ${subscriptionType} subscription`);
  }
  if (keySharedPolicy !== undefined && subscriptionType !== "Key_Shared") {
    read.problem("keySharedPolicy", keySharedPolicy, `left out for a ${subscriptionType} subscription`);
  }
}
