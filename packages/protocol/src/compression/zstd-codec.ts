import * as zlib from "node:zlib";
import { ProtocolError } from "../errors.ts";
import { type CompressionCodec, damaged, wrongSize } from "./codec.ts";

const DEFAULT_LEVEL = 3;

/** The WebAssembly build of the reference library. */
interface ZstdModule {
  readonly isLoaded: Promise<unknown>;
  readonly compress: (buffer: Uint8Array, level?: number) => Uint8Array;
  readonly decompress: (buffer: Uint8Array, size: number) => Uint8Array;
}

/** Node's own functions, from 22.15 on; this package's types are those of the oldest Node. */
interface NodeZstd {
  readonly zstdCompressSync?: (
    input: Uint8Array,
    options: { readonly params: Readonly<Record<number, number>> },
  ) => Uint8Array;
  readonly zstdDecompressSync?: (input: Uint8Array, options: { readonly maxOutputLength: number }) => Uint8Array;
  readonly constants: Readonly<Record<string, number>>;
}

/** Loads the WebAssembly build; where that cannot be, e.g. left out by a bundler, Node's own functions serve. */
export async function loadZstdCodec(): Promise<CompressionCodec> {
  try {
    const loaded: ZstdModule & { readonly default?: ZstdModule } = await import("@foxglove/wasm-zstd");
    const module = loaded.default ?? loaded;
    await module.isLoaded;
    return createWasmZstdCodec(module);
  } catch (cause) {
    const codec = createNodeZstdCodec(zlib as unknown as NodeZstd);
    if (codec !== undefined) return codec;
    throw new ProtocolError("UNSUPPORTED_COMPRESSION", "the ZSTD codec cannot be loaded", { cause });
  }
}

function createWasmZstdCodec(module: ZstdModule): CompressionCodec {
  return {
    type: "ZSTD",
    compress: (input, level = DEFAULT_LEVEL) => module.compress(input, level),
    decompress: (input, uncompressedSize) =>
      checked(input, uncompressedSize, () => module.decompress(input, uncompressedSize)),
  };
}

/** A codec over Node's own functions, or undefined where the running Node has none. */
export function createNodeZstdCodec(host: NodeZstd): CompressionCodec | undefined {
  const { zstdCompressSync: compress, zstdDecompressSync: decompress, constants } = host;
  const levelKey = constants["ZSTD_c_compressionLevel"];
  if (compress === undefined || decompress === undefined || levelKey === undefined) return undefined;
  return {
    type: "ZSTD",
    compress: (input, level = DEFAULT_LEVEL) => compress(input, { params: { [levelKey]: level } }),
    decompress: (input, uncompressedSize) =>
      checked(input, uncompressedSize, () => decompress(input, { maxOutputLength: Math.max(1, uncompressedSize) })),
  };
}

function checked(input: Uint8Array, uncompressedSize: number, decompress: () => Uint8Array): Uint8Array {
  // The reference library takes no bytes at all for nothing at all; a frame is never empty.
  if (input.length === 0) throw damaged("ZSTD", "no bytes", 0);
  let output: Uint8Array;
  try {
    output = decompress();
  } catch (cause) {
    if (statedSize(input) !== undefined && statedSize(input) !== uncompressedSize) {
      throw wrongSize("ZSTD", uncompressedSize, statedSize(input) ?? "more");
    }
    throw damaged("ZSTD", cause instanceof Error ? cause.message : String(cause), undefined, cause);
  }
  if (output.length !== uncompressedSize) throw wrongSize("ZSTD", uncompressedSize, output.length);
  return output;
}

/** The content size that a frame's header states, or undefined when it states none or is no frame. */
function statedSize(frame: Uint8Array): number | undefined {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength);
  if (frame.length < 6 || view.getUint32(0, true) !== 0xfd2fb528) return undefined;
  const descriptor = view.getUint8(4);
  const single = (descriptor >>> 5) & 1;
  const sizeAt = 5 + (1 - single) + ([0, 1, 2, 4][descriptor & 3] ?? 0);
  const bytes = [single, 2, 4, 8][descriptor >>> 6] ?? 0;
  if (bytes === 0 || sizeAt + bytes > frame.length) return undefined;
  if (bytes === 1) return view.getUint8(sizeAt);
  if (bytes === 2) return view.getUint16(sizeAt, true) + 256;
  return bytes === 4 ? view.getUint32(sizeAt, true) : Number(view.getBigUint64(sizeAt, true));
}
