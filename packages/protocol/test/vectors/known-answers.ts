import { readFileSync } from "node:fs";

/** A key and what the Java classes, and the Go and C++ clients live, made of it. */
export interface HashAnswer {
  readonly key?: string;
  readonly key_bytes_hex?: string;
  readonly partition_key_on_wire?: string;
  readonly javastringhash_java: number;
  readonly murmur3_32: number;
  readonly java_partition_JavaStringHash: Readonly<Record<string, number>>;
  readonly java_partition_Murmur3_32Hash: Readonly<Record<string, number>>;
  readonly sticky_hash_auto_split_default: number;
  readonly sticky_hash_auto_split_hashrange: number;
  readonly sticky_hash_sticky_mode: number;
  readonly live_partition_of_16?: { readonly cpp_default_BoostHash?: number };
}

export interface MessageIdAnswer {
  readonly what: string;
  readonly java_toString: string;
  readonly ledgerId: string;
  readonly entryId: string;
  readonly partition: number;
  readonly batch_index: number;
  readonly batch_size: number;
  readonly first_chunk?: { readonly ledgerId: string; readonly entryId: string; readonly partition: number };
  readonly java_bytes_hex: string;
  readonly java_base64: string;
  readonly go_bytes_hex?: string;
  readonly cpp_bytes_hex?: string;
}

export interface ChecksumAnswer {
  readonly what: string;
  readonly length: number;
  readonly hex?: string;
  readonly crc32c_unsigned: number;
}

export interface KnownAnswers {
  readonly hashes: readonly HashAnswer[];
  readonly message_ids: readonly MessageIdAnswer[];
  readonly crc32c: readonly ChecksumAnswer[];
  readonly topic_list_hashes: readonly { readonly topics: readonly string[]; readonly topics_hash: string }[];
  readonly websocket_message_ids: readonly { readonly what: string; readonly base64: string; readonly hex: string }[];
}

/** Answers computed by other clients' own classes, or seen live. */
export const knownAnswers: KnownAnswers = JSON.parse(
  readFileSync(new URL("./data/known-answers.json", import.meta.url), "utf8"),
) as KnownAnswers;
