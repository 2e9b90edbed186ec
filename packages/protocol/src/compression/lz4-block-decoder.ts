import { damaged, wrongSize } from "./codec.ts";

/** Each byte of input yields at most this many bytes of output. */
const MAX_RATIO = 255;

/**
 * Decompresses one raw LZ4 block of exactly `size` bytes. Reads nothing beyond the input, writes nothing beyond `size`, and
 * refuses a claimed size that the input cannot hold before it allocates.
 *
 * @throws ProtocolError `DECOMPRESSION_FAILED` or `UNCOMPRESSED_SIZE`
 */
export function decompressLz4Block(input: Uint8Array, size: number): Uint8Array {
  const length = input.length;
  if (size > length * MAX_RATIO) throw wrongSize("LZ4", size, "more");
  const output = Buffer.allocUnsafe(size);
  let at = 0;
  let out = 0;
  while (at < length) {
    const token = input[at++] as number;
    let count = token >>> 4;
    if (count === 15) {
      let more = 255;
      while (more === 255) {
        if (at >= length) throw damaged("LZ4", "literal count runs past the end", at);
        more = input[at++] as number;
        count += more;
      }
    }
    if (count > length - at) throw damaged("LZ4", "literals run past the end", at);
    if (count > size - out) throw wrongSize("LZ4", size, "more");
    if (count > 32) {
      output.set(input.subarray(at, at + count), out);
      at += count;
      out += count;
    } else {
      for (const stop = at + count; at < stop; ) output[out++] = input[at++] as number;
    }
    // Only the last sequence has no match.
    if (at === length) break;
    if (length - at < 2) throw damaged("LZ4", "distance runs past the end", at);
    const distance = (input[at] as number) | ((input[at + 1] as number) << 8);
    at += 2;
    if (distance === 0 || distance > out) throw damaged("LZ4", `distance ${distance} after ${out} bytes`, at - 2);
    let matched = token & 15;
    if (matched === 15) {
      let more = 255;
      while (more === 255) {
        if (at >= length) throw damaged("LZ4", "match length runs past the end", at);
        more = input[at++] as number;
        matched += more;
      }
    }
    matched += 4;
    if (matched > size - out) throw wrongSize("LZ4", size, "more");
    let from = out - distance;
    if (matched > 48 && distance >= matched) {
      output.copyWithin(out, from, from + matched);
      out += matched;
    } else {
      // One by one: a distance shorter than the match repeats what has just been written.
      for (const stop = out + matched; out < stop; ) output[out++] = output[from++] as number;
    }
    if (at === length) throw damaged("LZ4", "ends within a sequence", at);
  }
  if (length === 0) throw damaged("LZ4", "no bytes", 0);
  if (out !== size) throw wrongSize("LZ4", size, out);
  return output;
}
