import { describe, expect, it } from "vitest";
import { boostHash } from "../../src/hashing/boost-hash.ts";
import { javaStringHash } from "../../src/hashing/java-string-hash.ts";
import { murmur3Hash32 } from "../../src/hashing/murmur3.ts";
import {
  stickyKeyHashConsistent,
  stickyKeyHashRange,
  stickyKeyHashSticky,
  stickyKeyOf,
} from "../../src/hashing/sticky-key.ts";
import { knownAnswers } from "../vectors/known-answers.ts";

const answers = knownAnswers.hashes.map((answer) => {
  const routed = answer.key ?? answer.partition_key_on_wire ?? "";
  const sticky = answer.key_bytes_hex === undefined ? routed : Buffer.from(answer.key_bytes_hex, "hex");
  return { answer, routed, sticky };
});

describe("hashes of keys", () => {
  it.each(answers)("route $routed as the Java client does", ({ answer, routed }) => {
    expect(javaStringHash(routed)).toBe(answer.javastringhash_java);
    expect(murmur3Hash32(routed)).toBe(answer.murmur3_32);
    expect(murmur3Hash32(Buffer.from(routed))).toBe(answer.murmur3_32);
    for (const [count, partition] of Object.entries(answer.java_partition_JavaStringHash)) {
      expect(javaStringHash(routed) % Number(count)).toBe(partition);
    }
    for (const [count, partition] of Object.entries(answer.java_partition_Murmur3_32Hash)) {
      expect(murmur3Hash32(routed) % Number(count)).toBe(partition);
    }
  });

  it.each(answers)("place $routed in the broker's Key_Shared slot", ({ answer, sticky }) => {
    expect(stickyKeyHashConsistent(sticky)).toBe(answer.sticky_hash_auto_split_default);
    expect(stickyKeyHashRange(sticky)).toBe(answer.sticky_hash_auto_split_hashrange);
    expect(stickyKeyHashSticky(sticky)).toBe(answer.sticky_hash_sticky_mode);
  });

  it.each(answers.filter(({ answer }) => answer.live_partition_of_16?.cpp_default_BoostHash !== undefined))(
    "route $routed as the C++ client does by default",
    ({ answer, routed }) => {
      expect(boostHash(routed) % 16).toBe(answer.live_partition_of_16?.cpp_default_BoostHash);
    },
  );

  it("hash long keys beyond the scratch room as short ones", () => {
    const key = "k".repeat(1000);
    expect(murmur3Hash32(key)).toBe(murmur3Hash32(Buffer.from(key)));
    expect(murmur3Hash32(`${"k".repeat(100)}é`)).toBe(murmur3Hash32(Buffer.from(`${"k".repeat(100)}é`)));
  });
});

describe("stickyKeyOf", () => {
  const source = { producerName: "p-1", sequenceId: 7 };
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();

  it("prefers the ordering key", () => {
    expect(text(stickyKeyOf({ ...source, orderingKey: Buffer.from("o"), partitionKey: "k" }))).toBe("o");
  });

  it("takes the partition key, decoded when it stands for bytes", () => {
    expect(text(stickyKeyOf({ ...source, partitionKey: "a2V5" }))).toBe("a2V5");
    expect(text(stickyKeyOf({ ...source, partitionKey: "a2V5", partitionKeyB64Encoded: true }))).toBe("key");
    expect(text(stickyKeyOf({ ...source, partitionKey: "" }))).toBe("");
  });

  it("falls back to producer name and sequence id", () => {
    expect(text(stickyKeyOf(source))).toBe("p-1-7");
    expect(text(stickyKeyOf({ ...source, sequenceId: 2n ** 60n }))).toBe("p-1-1152921504606846976");
  });
});
