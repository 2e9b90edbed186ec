import { describe, expect, it } from "vitest";
import type { CompressionCodec } from "../../src/compression/codec.ts";
import { CompressionRegistry } from "../../src/compression/registry.ts";
import { createNodeZstdCodec } from "../../src/compression/zstd-codec.ts";

const fakeCodec = (): CompressionCodec => ({ type: "ZSTD", compress: (input) => input, decompress: (input) => input });

describe("CompressionRegistry", () => {
  it("has all but ZSTD at once and ZSTD after loading", async () => {
    const registry = new CompressionRegistry();
    expect((["NONE", "LZ4", "ZLIB", "SNAPPY"] as const).map((type) => registry.get(type)?.type)).toEqual([
      "NONE",
      "LZ4",
      "ZLIB",
      "SNAPPY",
    ]);
    expect(registry.get("ZSTD")).toBeUndefined();
    const codec = await registry.load("ZSTD");
    expect(registry.get("ZSTD")).toBe(codec);
    expect(await registry.load("ZSTD")).toBe(codec);
  });

  it("loads once for calls at the same time", async () => {
    const registry = new CompressionRegistry();
    let loads = 0;
    registry.registerLoader("ZSTD", async () => {
      loads++;
      return fakeCodec();
    });
    const [a, b] = await Promise.all([registry.load("ZSTD"), registry.load("ZSTD")]);
    expect(a).toBe(b);
    expect(loads).toBe(1);
  });

  it("tries again after a failure", async () => {
    const registry = new CompressionRegistry();
    const codec = fakeCodec();
    const outcomes = [Promise.reject(new Error("no file")), Promise.resolve(codec)];
    registry.registerLoader("ZSTD", async () => outcomes.shift() ?? codec);
    await expect(registry.load("ZSTD")).rejects.toThrow("no file");
    expect(registry.get("ZSTD")).toBeUndefined();
    await expect(registry.load("ZSTD")).resolves.toBe(codec);
  });

  it("keeps a codec that was registered while another one loaded", async () => {
    const registry = new CompressionRegistry();
    const newer = fakeCodec();
    let finish: (codec: CompressionCodec) => void = () => undefined;
    registry.registerLoader("ZSTD", () => new Promise((resolve) => (finish = resolve)));
    const loading = registry.load("ZSTD");
    registry.register(newer);
    finish(fakeCodec());
    expect(await loading).toBe(newer);
    expect(registry.get("ZSTD")).toBe(newer);
  });

  it("uses a plugged codec at once", () => {
    const registry = new CompressionRegistry();
    const plugged: CompressionCodec = { ...fakeCodec(), type: "LZ4" };
    registry.register(plugged);
    expect(registry.get("LZ4")).toBe(plugged);
  });
});

describe("ZSTD by Node itself", () => {
  it("is absent on a Node without it", () => {
    expect(createNodeZstdCodec({ constants: {} })).toBeUndefined();
  });

  it("passes level and size limit on and turns failures into typed errors", () => {
    const codec = createNodeZstdCodec({
      constants: { ZSTD_c_compressionLevel: 100 },
      zstdCompressSync: (input, options) => Uint8Array.of(...input, options.params[100] ?? 0),
      zstdDecompressSync: (input, options) => {
        if (input.length > options.maxOutputLength) throw new RangeError("too large");
        return input;
      },
    });
    expect(codec?.compress(Uint8Array.of(1), 9)).toEqual(Uint8Array.of(1, 9));
    expect(codec?.compress(Uint8Array.of(1))).toEqual(Uint8Array.of(1, 3));
    expect(codec?.decompress(Uint8Array.of(1, 2), 2)).toEqual(Uint8Array.of(1, 2));
    expect(() => codec?.decompress(Uint8Array.of(1, 2), 1)).toThrow(
      expect.objectContaining({ code: "DECOMPRESSION_FAILED" }),
    );
    expect(() => codec?.decompress(Uint8Array.of(1, 2), 3)).toThrow(
      expect.objectContaining({ code: "UNCOMPRESSED_SIZE" }),
    );
  });
});
