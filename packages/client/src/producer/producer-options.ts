import { COMPRESSION_TYPES, type CompressionType, type Int64, toInt64 } from "@pulsewire/protocol";
import { OptionReader } from "../options/option-reader.ts";
import { Schema } from "../schema/schema.ts";

/** How a producer shares its topic with others. */
export type ProducerAccessModeName = "Shared" | "Exclusive" | "WaitForExclusive" | "ExclusiveWithFencing";

/** What a producer is made of. Durations are in milliseconds, sizes in bytes. */
export interface ProducerOptions<T = Uint8Array> {
  /** Topic to publish to: `persistent://tenant/namespace/name`, or short forms of it. */
  readonly topic: string;
  /** Name of the producer; unique on the topic. By default the broker gives one. Needed for deduplication. */
  readonly name?: string | undefined;
  /** Turns values into payloads. Default `Schema.bytes`. */
  readonly schema?: Schema<T> | undefined;
  /**
   * How long a message may take from `send()` to its receipt, waiting for room and for a connection included, before
   * its promise rejects with TimeoutError. Default 30 000; 0 for no limit.
   */
  readonly sendTimeoutMs?: number | undefined;
  /** Whether messages share entries. Default true. */
  readonly batchingEnabled?: boolean | undefined;
  /** Messages that make a batch full. Default 1000. */
  readonly batchingMaxMessages?: number | undefined;
  /** Bytes of payload, before compression, that make a batch full. Default 131 072. */
  readonly batchingMaxBytes?: number | undefined;
  /** How long a message may wait for others to share its batch. Default 1. */
  readonly batchingMaxPublishDelayMs?: number | undefined;
  /**
   * Messages that may be without a receipt, those in the open batch included. Default 0: only the client's
   * `memoryLimitBytes` bounds them.
   */
  readonly maxPendingMessages?: number | undefined;
  /**
   * What `send()` does when maxPendingMessages or the memory limit is reached: wait in line when true, reject with
   * ProducerQueueIsFullError or MemoryBufferIsFullError when false. Default false.
   */
  readonly blockIfQueueFull?: boolean | undefined;
  /** How payloads are compressed. Default "NONE". */
  readonly compressionType?: CompressionType | undefined;
  /** Level on the scale of the format: 0 to 9 for ZLIB, 1 to 22 for ZSTD; the others have none. */
  readonly compressionLevel?: number | undefined;
  /**
   * The first message has the sequence id above this one. By default the broker's last id for the name, where the topic
   * has deduplication, else -1.
   */
  readonly initialSequenceId?: bigint | number | undefined;
  /** Names with values that the broker shows in its statistics. */
  readonly properties?: Readonly<Record<string, string>> | undefined;
  /**
   * Whether others may publish to the topic. Default "Shared". "Exclusive" fails where another producer is,
   * "WaitForExclusive" waits for its turn, "ExclusiveWithFencing" takes the turn of whoever has it.
   */
  readonly accessMode?: ProducerAccessModeName | undefined;
}

/** {@link ProducerOptions} with every default in place. */
export interface ResolvedProducerOptions<T> {
  readonly topic: string;
  readonly name: string | undefined;
  readonly schema: Schema<T>;
  readonly sendTimeoutMs: number;
  readonly batchingEnabled: boolean;
  readonly batchingMaxMessages: number;
  readonly batchingMaxBytes: number;
  readonly batchingMaxPublishDelayMs: number;
  readonly maxPendingMessages: number;
  readonly blockIfQueueFull: boolean;
  readonly compressionType: CompressionType;
  readonly compressionLevel: number | undefined;
  readonly initialSequenceId: Int64 | undefined;
  readonly properties: Readonly<Record<string, string>>;
  readonly accessMode: ProducerAccessModeName;
}

const ACCESS_MODES: readonly ProducerAccessModeName[] = [
  "Shared",
  "Exclusive",
  "WaitForExclusive",
  "ExclusiveWithFencing",
];

// The longest delay that a timer takes.
const LONGEST_TIMER_MS = 2_147_483_647;
const INT64_MAX = 9223372036854775807n;

/** Levels of the formats that have them: lowest and highest. */
const LEVELS: Readonly<Partial<Record<CompressionType, readonly [min: number, max: number]>>> = {
  ZLIB: [0, 9],
  ZSTD: [1, 22],
};

/**
 * Checks the options of a producer and puts the defaults in.
 *
 * @throws InvalidConfigurationError with every problem found
 */
export function resolveProducerOptions<T>(options: ProducerOptions<T>): ResolvedProducerOptions<T> {
  const reader = new OptionReader("producer options", options);
  const compressionType = reader.oneOf("compressionType", COMPRESSION_TYPES, "NONE");
  const initialSequenceId = reader.value(
    "initialSequenceId",
    undefined,
    isSequenceId,
    "an integer from -1 to 2^63 - 1, beyond 2^53 - 1 as a bigint",
  );
  const resolved: ResolvedProducerOptions<T> = {
    topic: reader.requiredText("topic"),
    name: reader.text("name"),
    // Without a schema T is Uint8Array: the default of the type parameter goes with the default of the option.
    schema: reader.value("schema", Schema.bytes, isSchema, "a schema") as Schema<T>,
    sendTimeoutMs: reader.integer("sendTimeoutMs", { default: 30_000, min: 0, max: LONGEST_TIMER_MS }),
    batchingEnabled: reader.boolean("batchingEnabled", true),
    batchingMaxMessages: reader.integer("batchingMaxMessages", { default: 1000, min: 1 }),
    batchingMaxBytes: reader.integer("batchingMaxBytes", { default: 131_072, min: 1 }),
    batchingMaxPublishDelayMs: reader.integer("batchingMaxPublishDelayMs", {
      default: 1,
      min: 1,
      max: LONGEST_TIMER_MS,
    }),
    maxPendingMessages: reader.integer("maxPendingMessages", { default: 0, min: 0 }),
    blockIfQueueFull: reader.boolean("blockIfQueueFull", false),
    compressionType,
    compressionLevel: readLevel(reader, compressionType),
    initialSequenceId: initialSequenceId === undefined ? undefined : toInt64(initialSequenceId),
    properties: reader.properties("properties"),
    accessMode: reader.oneOf("accessMode", ACCESS_MODES, "Shared"),
  };
  reader.finish();
  return Object.freeze(resolved);
}

function readLevel(reader: OptionReader, type: CompressionType): number | undefined {
  const levels = LEVELS[type];
  const expected =
    levels === undefined
      ? `left out, ${type} has no levels`
      : `an integer from ${levels[0]} to ${levels[1]} for ${type}`;
  const isLevel = (value: unknown): value is number =>
    levels !== undefined && Number.isInteger(value) && (value as number) >= levels[0] && (value as number) <= levels[1];
  return reader.value("compressionLevel", undefined, isLevel, expected);
}

function isSequenceId(value: unknown): value is bigint | number {
  if (typeof value === "bigint") return value >= -1n && value <= INT64_MAX;
  return Number.isSafeInteger(value) && (value as number) >= -1;
}

function isSchema(value: unknown): value is Schema<unknown> {
  if (typeof value !== "object" || value === null) return false;
  const { encode, decode } = value as Partial<Schema<unknown>>;
  return typeof encode === "function" && typeof decode === "function";
}
