const C1 = 0xcc9e2d51 | 0;
const C2 = 0x1b873593;

/** Room for the UTF-8 form of a short ASCII key; used within one call only. */
const scratch = new Uint8Array(256);

/**
 * Murmur3 (x86, 32 bits, seed 0) of a key, made non-negative by clearing the sign bit: the clients' Murmur3_32Hash, and
 * the base of all sticky hashes. Text is hashed as UTF-8.
 */
export function murmur3Hash32(key: string | Uint8Array): number {
  if (typeof key !== "string") return murmur3(key, key.length);
  const length = key.length;
  if (length > scratch.length) return murmur3OfEncoded(key);
  for (let i = 0; i < length; i++) {
    const unit = key.charCodeAt(i);
    if (unit > 0x7f) return murmur3OfEncoded(key);
    scratch[i] = unit;
  }
  return murmur3(scratch, length);
}

function murmur3OfEncoded(key: string): number {
  const bytes = Buffer.from(key, "utf8");
  return murmur3(bytes, bytes.length);
}

function murmur3(bytes: Uint8Array, length: number): number {
  let hash = 0;
  let at = 0;
  for (const stop = length - 3; at < stop; at += 4) {
    const word =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    hash ^= mixWord(word);
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  if (at < length) {
    let tail = 0;
    for (let shift = 0; at < length; at++, shift += 8) tail |= (bytes[at] as number) << shift;
    hash ^= mixWord(tail);
  }
  hash ^= length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) & 0x7fffffff;
}

function mixWord(word: number): number {
  const product = Math.imul(word, C1);
  return Math.imul((product << 15) | (product >>> 17), C2);
}
