import { crc32c } from "../checksum/crc32c.ts";

/**
 * Hash of a list of topics as GET_TOPICS_OF_NAMESPACE and WATCH_TOPIC_LIST compare it (PIP-145): CRC-32C over the sorted
 * names joined by commas, in hexadecimal with the least significant byte first. The order of the argument has no effect.
 */
export function topicListHash(topics: Iterable<string>): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32LE(crc32c(Buffer.from([...topics].sort().join(","), "utf8")));
  return sum.toString("hex");
}
