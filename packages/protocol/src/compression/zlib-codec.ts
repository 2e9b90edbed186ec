import { constants, deflateSync, inflateSync } from "node:zlib";
import { type CompressionCodec, damaged, wrongSize } from "./codec.ts";

/**
 * ZLIB by Node's own library.
 *
 * The Java client writes streams without an end: flushed, but without final block and checksum. Reading with a sync
 * flush at the end accepts those, and would accept a stream cut anywhere; the length tells the difference.
 */
export const zlibCodec: CompressionCodec = {
  type: "ZLIB",
  compress(input, level = constants.Z_DEFAULT_COMPRESSION) {
    // Room for the worst case in one piece: the library otherwise joins pieces of 16 KiB.
    return deflateSync(input, { level, chunkSize: Math.max(64, input.length + (input.length >>> 10) + 64) });
  },
  decompress(input, uncompressedSize) {
    let output: Uint8Array;
    try {
      output = inflateSync(input, {
        finishFlush: constants.Z_SYNC_FLUSH,
        maxOutputLength: Math.max(1, uncompressedSize),
        // One more byte than is due, so that the end of the stream is seen without another piece.
        chunkSize: Math.min(Math.max(64, uncompressedSize + 1), 1 << 20),
      });
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE") {
        throw wrongSize("ZLIB", uncompressedSize, "more");
      }
      throw damaged("ZLIB", cause instanceof Error ? cause.message : String(cause), undefined, cause);
    }
    if (output.length !== uncompressedSize) throw wrongSize("ZLIB", uncompressedSize, output.length);
    return output;
  },
};
