const MASK_64 = 0xffff_ffff_ffff_ffffn;
const STEP = 0x9e37_79b9_7f4a_7c15n;
const FACTOR = (STEP * STEP) & MASK_64;

/** Product of two 64-bit values, its upper half folded onto the lower one. */
function foldedProduct(a: bigint, b: bigint): bigint {
  const product = a * b;
  return (product & MASK_64) ^ (product >> 64n);
}

/** Little-endian value of `count` bytes from `at`. */
function littleEndian(bytes: Uint8Array, at: number, count: number): bigint {
  let value = 0n;
  for (let i = count - 1; i >= 0; i--) value = (value << 8n) | BigInt(bytes[at + i] as number);
  return value;
}

/** The bytes left over after whole words, arranged as the Boost library (1.82 and newer) arranges them. */
function tailWord(bytes: Uint8Array, at: number, count: number): bigint {
  if (count >= 4) {
    const upper = littleEndian(bytes, at + count - 4, 4) << BigInt((count - 4) * 8);
    return upper | littleEndian(bytes, at, 4);
  }
  if (count === 0) return 0n;
  const last = (count - 1) & 2;
  const middle = count >> 1;
  return (
    BigInt((bytes[at + last] as number) * 2 ** (last * 8)) |
    BigInt((bytes[at + middle] as number) * 2 ** (middle * 8)) |
    BigInt(bytes[at] as number)
  );
}

/**
 * Hash of a key's UTF-8 bytes as the C++ and Python clients compute it by default (BoostHash on a 64-bit machine), low 31
 * bits. Only for placing keys on the same partitions as those clients do: it works on bigints, some microseconds a key.
 */
export function boostHash(key: string): number {
  const bytes = Buffer.from(key, "utf8");
  const length = bytes.length;
  let weight = foldedProduct(STEP, FACTOR);
  let hash = weight ^ BigInt(length);
  let at = 0;
  for (; length - at >= 8; at += 8) {
    weight = (weight + STEP) & MASK_64;
    hash ^= foldedProduct((littleEndian(bytes, at, 8) + weight) & MASK_64, FACTOR);
  }
  weight = (weight + STEP) & MASK_64;
  hash ^= foldedProduct((tailWord(bytes, at, length - at) + weight) & MASK_64, FACTOR);
  return Number(foldedProduct((hash + weight) & MASK_64, FACTOR) & 0x7fff_ffffn);
}
