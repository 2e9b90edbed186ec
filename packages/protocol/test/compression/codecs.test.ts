import { describe, expect, it } from "vitest";
import {
  COMPRESSION_TYPES,
  type CompressionCodec,
  type CompressionType,
  compressionTypeFromWire,
  compressionTypeToWire,
  decompressPayload,
} from "../../src/compression/codec.ts";
import { CompressionRegistry } from "../../src/compression/registry.ts";
import { payloadBytes, payloadVectors, plainBytes } from "../vectors/payload-vectors.ts";
import { noise, samples } from "./samples.ts";

const registry = new CompressionRegistry();
const codecs = new Map<string, CompressionCodec>();
for (const type of COMPRESSION_TYPES) codecs.set(type, await registry.load(type));

function codecOf(type: string): CompressionCodec {
  const codec = codecs.get(type);
  if (codec === undefined) throw new Error(`no codec ${type}`);
  return codec;
}

const vectors = payloadVectors("java-compress.json", "go-compress.json", "cpp-compress.json", "handmade-codec.json");

describe("payloads of other clients", () => {
  it.each(vectors.map((vector) => [vector.name, vector] as const))("%s is read", (_, vector) => {
    const { compression = "NONE", uncompressed_size: size = 0 } = vector.decoded.metadata ?? {};
    const output = decompressPayload(codecOf(compression), payloadBytes(vector), size, 5 * 1024 * 1024);
    expect(Buffer.from(output).toString("hex")).toBe(Buffer.from(plainBytes(vector) ?? []).toString("hex"));
  });

  it("cover every format from every client", () => {
    const seen = new Set(
      vectors.map((vector) => `${vector.name.split("/")[0]} ${vector.decoded.metadata?.compression}`),
    );
    for (const client of ["java", "go", "cpp"]) {
      for (const type of ["LZ4", "ZLIB", "ZSTD", "SNAPPY"]) expect(seen).toContain(`${client} ${type}`);
    }
  });
});

describe.each([...codecs])("%s", (type, codec) => {
  it.each([...samples()])("restores %s", (_, input) => {
    const before = Uint8Array.from(input);
    const compressed = Uint8Array.from(codec.compress(input));
    // Something of another size in between: shared working memory must not leak from call to call.
    codec.compress(noise(100));
    expect(Buffer.compare(codec.decompress(compressed, input.length), before)).toBe(0);
    expect(Buffer.compare(input, before)).toBe(0);
  });

  it("takes views into larger buffers", () => {
    const whole = Buffer.from("xxxx repeat repeat repeat repeat repeat yyyy");
    const view = whole.subarray(4, 40);
    const compressed = Buffer.concat([Buffer.from("zz"), codec.compress(view), Buffer.from("zz")]);
    const output = codec.decompress(compressed.subarray(2, compressed.length - 2), view.length);
    expect(Buffer.from(output).toString()).toBe(view.toString());
  });

  it("refuses a size beyond the maximum before it does anything", () => {
    const spy: CompressionCodec = {
      type: codec.type,
      compress: (input) => input,
      decompress: () => {
        throw new Error("called");
      },
    };
    if (type === "NONE") return;
    for (const size of [1001, 2 ** 32, -1, 1.5, Number.NaN]) {
      expect(() => decompressPayload(spy, Uint8Array.of(1), size, 1000)).toThrow(
        expect.objectContaining({ code: "UNCOMPRESSED_SIZE" }),
      );
    }
  });
});

describe.each(["LZ4", "ZLIB", "ZSTD", "SNAPPY"] as const)("damaged %s", (type: CompressionType) => {
  const codec = codecOf(type);
  const input = Buffer.from("a lie of a size is a lie of a size is a lie of a size, as ever".repeat(3));
  const compressed = Uint8Array.from(codec.compress(input));
  const refusal = expect.objectContaining({
    name: "ProtocolError",
    code: expect.stringMatching(/^(UNCOMPRESSED_SIZE|DECOMPRESSION_FAILED)$/),
  });

  it.each([0, 1, 10, input.length - 1, input.length + 1, input.length + 1000, 5_000_000])(
    "payload is refused when it claims %i bytes",
    (size) => {
      expect(() => codec.decompress(compressed, size)).toThrow(refusal);
    },
  );

  it("payload is refused wherever it is cut", () => {
    // The last bytes of a zlib stream are its end and checksum, which Java's streams lack.
    const spare = type === "ZLIB" ? 6 : 0;
    for (let end = 0; end < compressed.length - spare; end++) {
      expect(() => codec.decompress(compressed.subarray(0, end), input.length)).toThrow(refusal);
    }
  });

  it("payload with any one byte changed gives a value of the right size or a typed error", () => {
    for (let at = 0; at < compressed.length; at++) {
      for (const flip of [1, 0x80, 0xff]) {
        const changed = Uint8Array.from(compressed);
        changed[at] = (changed[at] as number) ^ flip;
        try {
          expect(codec.decompress(changed, input.length).length).toBe(input.length);
        } catch (error) {
          expect(error).toMatchObject({ name: "ProtocolError" });
        }
      }
    }
  });

  it("bomb is refused at its claimed size, not at its true one", () => {
    const bomb = Uint8Array.from(codec.compress(new Uint8Array(3_000_000)));
    expect(() => codec.decompress(bomb, 1000)).toThrow(refusal);
    expect(() => decompressPayload(codec, bomb, 3_000_000, 1_000_000)).toThrow(refusal);
  });
});

describe("compression types", () => {
  it("have the wire's numbers", () => {
    expect(COMPRESSION_TYPES.map(compressionTypeToWire)).toEqual([0, 1, 2, 3, 4]);
    expect([0, 1, 2, 3, 4].map(compressionTypeFromWire)).toEqual([...COMPRESSION_TYPES]);
    expect(() => compressionTypeFromWire(5)).toThrow(expect.objectContaining({ code: "UNSUPPORTED_COMPRESSION" }));
  });

  it("let nothing at all stand for an empty payload", () => {
    for (const codec of codecs.values()) expect(decompressPayload(codec, new Uint8Array(0), 0, 10)).toHaveLength(0);
  });
});
