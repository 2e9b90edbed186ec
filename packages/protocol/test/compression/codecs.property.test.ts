import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { COMPRESSION_TYPES } from "../../src/compression/codec.ts";
import { CompressionRegistry } from "../../src/compression/registry.ts";
import { fuzzBudget } from "../fuzz-budget.ts";

const registry = new CompressionRegistry();
await registry.load("ZSTD");

/** Bytes with repetitions: pieces from a small set, repeated. */
const compressible = fc
  .array(fc.tuple(fc.uint8Array({ minLength: 1, maxLength: 30 }), fc.integer({ min: 1, max: 40 })), { maxLength: 20 })
  .map((pieces) => Buffer.concat(pieces.flatMap(([piece, times]) => Array<Uint8Array>(times).fill(piece))));

describe.each(COMPRESSION_TYPES)("%s", (type) => {
  const codec = registry.get(type);
  if (codec === undefined) throw new Error(`no codec ${type}`);

  it("restores what it compressed", () => {
    fc.assert(
      fc.property(compressible, (input) => {
        expect(Buffer.compare(codec.decompress(codec.compress(input), input.length), input)).toBe(0);
      }),
      fuzzBudget(),
    );
  });

  it("gives bytes of the claimed size or a typed error for any input", () => {
    if (type === "NONE") return;
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(400), (input, size) => {
        try {
          expect(codec.decompress(input, size)).toHaveLength(size);
        } catch (error) {
          expect(error).toMatchObject({ name: "ProtocolError" });
        }
      }),
      fuzzBudget(),
    );
  });
});
