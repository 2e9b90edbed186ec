import { MessageId } from "@pulsewire/protocol";
import { randomName, readSchema } from "../consumer/resolve-consumer-options.ts";
import { OptionReader } from "../options/option-reader.ts";
import type { Schema } from "../schema/schema.ts";
import type { Random } from "../util/clock.ts";

/** Options of `client.createReader`. Names and defaults are those of the Java client unless said otherwise. */
export interface ReaderOptions<T = Uint8Array> {
  /** Topic to read, e.g. `orders` or `persistent://tenant/namespace/orders`. */
  readonly topic: string;
  /**
   * Where to begin: behind this message, at the first one of the topic, or behind the last. Required, unless
   * `startMessageFromRollbackDurationMs` says where.
   */
  readonly startMessageId?: MessageId | "earliest" | "latest" | undefined;
  /** Default false. With true the start message itself is read too; for `latest` the last message of the topic. */
  readonly startMessageIdInclusive?: boolean | undefined;
  /** Begins with the messages published so many milliseconds ago, in whole seconds. Instead of `startMessageId`. */
  readonly startMessageFromRollbackDurationMs?: number | undefined;
  /** Name in the broker's statistics; five random letters by default. */
  readonly readerName?: string | undefined;
  /** Name of the subscription that the reader has at the broker; `reader-` and ten random digits by default. */
  readonly subscriptionName?: string | undefined;
  /** What the default subscription name begins with, for permissions that go by it. Not with `subscriptionName`. */
  readonly subscriptionRolePrefix?: string | undefined;
  /** Messages that are fetched ahead of the application. Default 1000, at least 1. A batch may exceed it. */
  readonly receiverQueueSize?: number | undefined;
  /** How payloads become values; raw bytes by default. */
  readonly schema?: Schema<T> | undefined;
  /** Default false. Reads the compacted topic: the last message of each key. */
  readonly readCompacted?: boolean | undefined;
  /** Shown in the broker's statistics of the reader. */
  readonly properties?: Readonly<Record<string, string>> | undefined;
  /** Chunked messages that are put together at the same time at most. Default 10, at least 1. */
  readonly maxPendingChunkedMessages?: number | undefined;
  /** Default false. Passes over the oldest incomplete chunked message for good when there are too many. */
  readonly autoAckOldestChunkedMessageOnQueueFull?: boolean | undefined;
  /** Milliseconds after which an incomplete chunked message is given up. Default 60 000; 0 never. */
  readonly expireTimeOfIncompleteChunkedMessageMs?: number | undefined;
}

/** The options with every default filled in. */
export interface ResolvedReaderOptions<T> {
  readonly topic: string;
  readonly startMessageId: MessageId;
  readonly startMessageIdInclusive: boolean;
  /** Undefined to begin at the start message id. */
  readonly startMessageRollbackDurationSec: number | undefined;
  readonly readerName: string;
  readonly subscriptionName: string;
  readonly receiverQueueSize: number;
  readonly schema: Schema<T>;
  readonly readCompacted: boolean;
  readonly properties: Readonly<Record<string, string>>;
  readonly maxPendingChunkedMessages: number;
  readonly autoAckOldestChunkedMessageOnQueueFull: boolean;
  readonly expireTimeOfIncompleteChunkedMessageMs: number;
}

const SUBSCRIPTION_DIGITS = 10;

/**
 * Fills in the defaults.
 *
 * @param random picks the letters and digits of default names
 * @throws InvalidConfigurationError listing every option that cannot be used
 */
export function resolveReaderOptions<T>(options: ReaderOptions<T>, random: Random): ResolvedReaderOptions<T> {
  const read = new OptionReader("reader options", options);
  const rollbackMs = readRollback(read);
  const resolved: ResolvedReaderOptions<T> = {
    topic: read.requiredText("topic"),
    startMessageId: readStart(read, rollbackMs !== undefined),
    startMessageIdInclusive: read.boolean("startMessageIdInclusive", false),
    startMessageRollbackDurationSec: rollbackMs === undefined ? undefined : Math.ceil(rollbackMs / 1000),
    readerName: read.text("readerName") ?? randomName(random),
    subscriptionName: readSubscriptionName(read, random),
    receiverQueueSize: read.integer("receiverQueueSize", { default: 1000, min: 1 }),
    schema: readSchema(read),
    readCompacted: read.boolean("readCompacted", false),
    properties: read.properties("properties"),
    maxPendingChunkedMessages: read.integer("maxPendingChunkedMessages", { default: 10, min: 1 }),
    autoAckOldestChunkedMessageOnQueueFull: read.boolean("autoAckOldestChunkedMessageOnQueueFull", false),
    expireTimeOfIncompleteChunkedMessageMs: read.integer("expireTimeOfIncompleteChunkedMessageMs", {
      default: 60_000,
      min: 0,
    }),
  };
  read.finish();
  return Object.freeze(resolved);
}

function readRollback(read: OptionReader): number | undefined {
  const name = "startMessageFromRollbackDurationMs";
  if (!read.has(name)) return undefined;
  return read.integer(name, { default: 1, min: 1 });
}

function readStart(read: OptionReader, hasRollback: boolean): MessageId {
  const name = "startMessageId";
  const isStart = (value: unknown): value is MessageId | "earliest" | "latest" =>
    value === "earliest" || value === "latest" || MessageId.isMessageId(value);
  const expected = 'a message id, "earliest" or "latest"';
  if (hasRollback) {
    const given = read.value(name, undefined, isStart, expected);
    if (given !== undefined) read.problem(name, given, "left out with startMessageFromRollbackDurationMs");
    return MessageId.latest;
  }
  const start = read.required(name, "latest" as const, isStart, expected);
  if (start === "earliest") return MessageId.earliest;
  return start === "latest" ? MessageId.latest : start;
}

function readSubscriptionName(read: OptionReader, random: Random): string {
  const name = read.text("subscriptionName");
  const prefix = read.text("subscriptionRolePrefix");
  if (name !== undefined && prefix !== undefined) {
    read.problem("subscriptionRolePrefix", prefix, "left out with subscriptionName");
  }
  const digits = Array.from({ length: SUBSCRIPTION_DIGITS }, () => Math.floor(random() * 16).toString(16)).join("");
  return name ?? (prefix === undefined ? `reader-${digits}` : `${prefix}-reader-${digits}`);
}
