/**
 * Hash of a key as Java's clients compute it under the name JavaStringHash: `String.hashCode()` over the UTF-16 code
 * units, made non-negative by clearing the sign bit. Go and C++ hash the UTF-8 bytes under the same name and differ for
 * some keys.
 */
export function javaStringHash(key: string): number {
  let hash = 0;
  for (let i = 0; i < key.length; i++) hash = (Math.imul(31, hash) + key.charCodeAt(i)) | 0;
  return hash & 0x7fffffff;
}
