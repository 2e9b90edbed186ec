import { type Int64, toBigInt } from "../int64/int64.ts";
import { murmur3Hash32 } from "./murmur3.ts";

/** Number of slots that Key_Shared subscriptions spread keys over: hashes are 0 to 65535. */
export const STICKY_HASH_RANGE_SIZE = 65536;

/** The parts of a message's metadata that its place in a Key_Shared subscription depends on. */
export interface StickyKeySource {
  readonly orderingKey?: Uint8Array | undefined;
  readonly partitionKey?: string | undefined;
  /** True when `partitionKey` is base64 text standing for bytes; default false. */
  readonly partitionKeyB64Encoded?: boolean | undefined;
  readonly producerName: string;
  readonly sequenceId: Int64;
}

/**
 * The key that a Key_Shared subscription goes by: ordering key, else partition key (decoded when it stands for bytes),
 * else producer name and sequence id joined by a dash.
 */
export function stickyKeyOf(source: StickyKeySource): Uint8Array {
  if (source.orderingKey !== undefined) return source.orderingKey;
  const { partitionKey } = source;
  if (partitionKey !== undefined) {
    return Buffer.from(partitionKey, source.partitionKeyB64Encoded === true ? "base64" : "utf8");
  }
  return Buffer.from(`${source.producerName}-${toBigInt(source.sequenceId)}`, "utf8");
}

/** Slot of a key under AUTO_SPLIT with consistent hashing, the broker's default: 1 to 65535. */
export function stickyKeyHashConsistent(key: string | Uint8Array): number {
  return (murmur3Hash32(key) % (STICKY_HASH_RANGE_SIZE - 1)) + 1;
}

/** Slot of a key under AUTO_SPLIT where the broker splits ranges instead of hashing consistently: 1 to 65535. */
export function stickyKeyHashRange(key: string | Uint8Array): number {
  return stickyKeyHashSticky(key);
}

/** Slot of a key under STICKY with ranges named by the consumers: 1 to 65535, slot 0 being counted as 1. */
export function stickyKeyHashSticky(key: string | Uint8Array): number {
  return murmur3Hash32(key) % STICKY_HASH_RANGE_SIZE || 1;
}
