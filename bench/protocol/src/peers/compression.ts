import { createRequire } from "node:module";
import { unzlibSync, zlibSync } from "fflate";
import { decompress as fzstdDecompress } from "fzstd";
import { snappyCompressor, snappyUncompressor } from "hysnappy";
import { deflate as pakoDeflate, inflate as pakoInflate } from "pako";

/** One way to compress and restore a payload; `compress` is missing where the package cannot. */
export interface CompressionPeer {
  readonly name: string;
  readonly compress?: (input: Uint8Array) => Uint8Array;
  readonly decompress: (input: Uint8Array, size: number) => Uint8Array;
}

const require = createRequire(import.meta.url);

/** The alternatives to each codec, all without a compiler or a download at install. */
export function compressionPeers(): Readonly<Record<string, readonly CompressionPeer[]>> {
  return {
    LZ4: [lz4Wasm(), lz4Js()],
    SNAPPY: [hysnappy(), snappyWasm(), snappyJs()],
    ZSTD: [{ name: "fzstd (JS)", decompress: (input, size) => fzstdDecompress(input, new Uint8Array(size)) }],
    ZLIB: [
      { name: "fflate (JS)", compress: (input) => zlibSync(input), decompress: (input) => unzlibSync(input) },
      { name: "pako (JS)", compress: (input) => pakoDeflate(input), decompress: (input) => pakoInflate(input) },
    ],
  };
}

/** This package puts the size in four bytes before the block: they are cut off and put back. */
function lz4Wasm(): CompressionPeer {
  const lz4 = require("lz4-wasm-nodejs") as Record<"compress" | "decompress", (input: Uint8Array) => Uint8Array>;
  return {
    name: "lz4-wasm-nodejs (WASM)",
    compress: (input) => lz4.compress(input).subarray(4),
    decompress: (input, size) => {
      const withSize = Buffer.allocUnsafe(4 + input.length);
      withSize.writeUInt32LE(size, 0);
      withSize.set(input, 4);
      return lz4.decompress(withSize);
    },
  };
}

interface Lz4Js {
  compressBound(size: number): number;
  compressBlock(input: Uint8Array, output: Uint8Array, start: number, length: number, table: Uint32Array): number;
  decompressBlock(input: Uint8Array, output: Uint8Array, start: number, length: number, at: number): number;
}

function lz4Js(): CompressionPeer {
  const lz4 = require("lz4js") as Lz4Js;
  const table = new Uint32Array(65_536);
  return {
    name: "lz4js (JS)",
    compress: (input) => {
      table.fill(0);
      const output = new Uint8Array(lz4.compressBound(input.length));
      return output.subarray(0, lz4.compressBlock(input, output, 0, input.length, table));
    },
    decompress: (input, size) => {
      const output = new Uint8Array(size);
      lz4.decompressBlock(input, output, 0, input.length, 0);
      return output;
    },
  };
}

function hysnappy(): CompressionPeer {
  return { name: "hysnappy (WASM)", compress: snappyCompressor(), decompress: snappyUncompressor() };
}

function snappyWasm(): CompressionPeer {
  const snappy = require("snappy-wasm") as Record<"compress_raw" | "decompress_raw", (input: Uint8Array) => Uint8Array>;
  return {
    name: "snappy-wasm (WASM)",
    compress: (input) => snappy.compress_raw(input),
    decompress: (input) => snappy.decompress_raw(input),
  };
}

function snappyJs(): CompressionPeer {
  const snappy = require("snappyjs") as Record<"compress" | "uncompress", (input: Uint8Array) => Uint8Array>;
  return {
    name: "snappyjs (JS)",
    compress: (input) => snappy.compress(input),
    decompress: (input) => snappy.uncompress(input),
  };
}
