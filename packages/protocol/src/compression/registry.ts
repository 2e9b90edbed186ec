import { ProtocolError } from "../errors.ts";
import type { CompressionCodec, CompressionType } from "./codec.ts";
import { decompressLz4Block } from "./lz4-block-decoder.ts";
import { compressLz4Block } from "./lz4-block-encoder.ts";
import { decompressSnappy } from "./snappy-decoder.ts";
import { compressSnappy } from "./snappy-encoder.ts";
import { zlibCodec } from "./zlib-codec.ts";
import { loadZstdCodec } from "./zstd-codec.ts";

const noneCodec: CompressionCodec = {
  type: "NONE",
  compress: (input) => input,
  decompress: (input) => input,
};

const lz4Codec: CompressionCodec = { type: "LZ4", compress: compressLz4Block, decompress: decompressLz4Block };

const snappyCodec: CompressionCodec = { type: "SNAPPY", compress: compressSnappy, decompress: decompressSnappy };

/**
 * The codecs in use. All but ZSTD are ready at once; ZSTD is loaded on first demand. Any of them may be replaced by a
 * faster one.
 */
export class CompressionRegistry {
  readonly #ready = new Map<CompressionType, CompressionCodec>([
    ["NONE", noneCodec],
    ["LZ4", lz4Codec],
    ["ZLIB", zlibCodec],
    ["SNAPPY", snappyCodec],
  ]);
  readonly #loaders = new Map<CompressionType, () => Promise<CompressionCodec>>([["ZSTD", loadZstdCodec]]);
  readonly #loading = new Map<CompressionType, Promise<CompressionCodec>>();

  /** The codec of a type if it is ready: always for all but ZSTD, for ZSTD after {@link CompressionRegistry.load}. */
  get(type: CompressionType): CompressionCodec | undefined {
    return this.#ready.get(type);
  }

  /**
   * Makes the codec of a type ready and returns it. Calls at the same time load it once; after a failure the next call
   * tries again.
   *
   * @throws ProtocolError `UNSUPPORTED_COMPRESSION` when it cannot be loaded
   */
  async load(type: CompressionType): Promise<CompressionCodec> {
    const ready = this.#ready.get(type);
    if (ready !== undefined) return ready;
    const pending = this.#loading.get(type);
    if (pending !== undefined) return pending;
    const loading = this.#start(type);
    this.#loading.set(type, loading);
    try {
      return await loading;
    } finally {
      this.#loading.delete(type);
    }
  }

  /** Puts a codec in the place of the one for its type. */
  register(codec: CompressionCodec): void {
    this.#ready.set(codec.type, codec);
  }

  /** Puts a codec that has to be loaded in the place of the one for a type; it is loaded on first demand. */
  registerLoader(type: CompressionType, loader: () => Promise<CompressionCodec>): void {
    this.#ready.delete(type);
    this.#loading.delete(type);
    this.#loaders.set(type, loader);
  }

  async #start(type: CompressionType): Promise<CompressionCodec> {
    const loader = this.#loaders.get(type);
    if (loader === undefined) throw new ProtocolError("UNSUPPORTED_COMPRESSION", `no codec for ${type}`);
    const codec = await loader();
    // What was registered while this one loaded is newer and stays.
    const newer = this.#ready.get(type);
    if (newer !== undefined) return newer;
    if (this.#loaders.get(type) === loader) this.#ready.set(type, codec);
    return codec;
  }
}

/** The registry that clients and brokers use unless they are given another. */
export const compressionRegistry: CompressionRegistry = new CompressionRegistry();
