import { damaged, wrongSize } from "./codec.ts";

/** Three bytes of input yield at most 64 bytes of output; the smallest whole bound of that. */
const MAX_RATIO = 22;

/**
 * Decompresses a raw Snappy block of exactly `size` bytes. Reads nothing beyond the input, writes nothing beyond `size`,
 * and compares the length that the block itself states with `size` before it allocates.
 *
 * @throws ProtocolError `DECOMPRESSION_FAILED` or `UNCOMPRESSED_SIZE`
 */
export function decompressSnappy(input: Uint8Array, size: number): Uint8Array {
  const length = input.length;
  let at = 0;
  let stated = 0;
  for (let shift = 0, more = true; more; shift += 7) {
    if (at >= length || shift > 28) throw damaged("SNAPPY", "length is cut short or too long", at);
    const byte = input[at++] as number;
    stated += (byte & 127) * 2 ** shift;
    more = byte > 127;
  }
  if (stated !== size) throw wrongSize("SNAPPY", size, stated);
  if (size > length * MAX_RATIO) throw damaged("SNAPPY", `${length} bytes cannot hold ${size}`, at);
  const output = Buffer.allocUnsafe(size);
  let out = 0;
  while (at < length) {
    const tagAt = at;
    const tag = input[at++] as number;
    let count = (tag >>> 2) + 1;
    let distance = 0;
    switch (tag & 3) {
      case 0: {
        if (count > 60) {
          const bytes = count - 60;
          if (bytes > length - at) throw damaged("SNAPPY", "literal count runs past the end", tagAt);
          count = 1;
          for (let i = 0; i < bytes; i++) count += (input[at++] as number) * 2 ** (8 * i);
        }
        if (count > length - at) throw damaged("SNAPPY", "literals run past the end", tagAt);
        if (count > size - out) throw wrongSize("SNAPPY", size, "more");
        if (count > 32) {
          output.set(input.subarray(at, at + count), out);
          at += count;
          out += count;
        } else {
          for (const stop = at + count; at < stop; ) output[out++] = input[at++] as number;
        }
        continue;
      }
      case 1:
        if (at >= length) throw damaged("SNAPPY", "distance runs past the end", tagAt);
        count = ((tag >>> 2) & 7) + 4;
        distance = ((tag >>> 5) << 8) | (input[at++] as number);
        break;
      case 2:
        if (length - at < 2) throw damaged("SNAPPY", "distance runs past the end", tagAt);
        distance = (input[at] as number) | ((input[at + 1] as number) << 8);
        at += 2;
        break;
      default:
        if (length - at < 4) throw damaged("SNAPPY", "distance runs past the end", tagAt);
        distance = (input[at] as number) + ((input[at + 1] as number) << 8) + ((input[at + 2] as number) << 16);
        distance += (input[at + 3] as number) * 0x1000000;
        at += 4;
    }
    if (distance === 0 || distance > out) throw damaged("SNAPPY", `distance ${distance} after ${out} bytes`, tagAt);
    if (count > size - out) throw wrongSize("SNAPPY", size, "more");
    let from = out - distance;
    // One by one: a distance shorter than the copy repeats what has just been written.
    for (const stop = out + count; out < stop; ) output[out++] = output[from++] as number;
  }
  if (out !== size) throw wrongSize("SNAPPY", size, out);
  return output;
}
