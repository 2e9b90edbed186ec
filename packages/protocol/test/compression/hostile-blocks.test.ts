import { describe, expect, it } from "vitest";
import { decompressLz4Block } from "../../src/compression/lz4-block-decoder.ts";
import { decompressSnappy } from "../../src/compression/snappy-decoder.ts";

const bytes = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex.replaceAll(" ", ""), "hex"));

describe("the LZ4 decoder", () => {
  it.each([
    ["no bytes", "", 0, "no bytes"],
    ["a literal count past the end", "f0", 15, "literal count"],
    ["a literal count of 255s past the end", "f0 ff ff", 600, "literal count"],
    ["literals past the end", "40 61 62", 4, "literals run"],
    ["more literals than the size", "20 61 62", 1, "holds more"],
    ["a distance past the end", "10 61 01", 9, "distance runs"],
    ["distance zero", "10 61 00 00 00", 9, "distance 0"],
    ["a distance before the start", "10 61 02 00 00", 9, "distance 2"],
    ["a match length past the end", "1f 61 01 00 ff", 300, "match length"],
    ["a match beyond the size", "1f 61 01 00 10 00", 10, "holds more"],
    ["an end within a sequence", "10 61 01 00", 5, "ends within"],
    ["too few bytes", "20 61 62", 3, "holds 2"],
    ["a size it cannot hold", "20 61 62", 5_000_000, "claims 5000000"],
  ])("refuses %s", (_, hex, size, reason) => {
    expect(() => decompressLz4Block(bytes(hex), size)).toThrow(reason);
  });

  it("repeats what it has just written when the distance is shorter than the match", () => {
    expect(Buffer.from(decompressLz4Block(bytes("24 61 62 02 00 10 63"), 11)).toString()).toBe("ababababab" + "c");
  });
});

describe("the Snappy decoder", () => {
  it.each([
    ["no bytes", "", 0, "length is cut"],
    ["a length without end", "80 80 80 80 80 01", 0, "length is cut"],
    ["another length than claimed", "03 08 61 62 63", 4, "holds 3"],
    ["a length it cannot hold", "c0 84 3d 00 61", 1_000_000, "cannot hold"],
    ["a literal count past the end", "05 f0", 5, "literal count"],
    ["literals past the end", "05 10 61", 5, "literals run"],
    ["more literals than the size", "01 08 61 62 63", 1, "holds more"],
    ["a one-byte distance past the end", "05 00 61 01", 5, "distance runs"],
    ["a two-byte distance past the end", "05 00 61 0e 01", 5, "distance runs"],
    ["a four-byte distance past the end", "05 00 61 0f 01 00 00", 5, "distance runs"],
    ["distance zero", "05 00 61 01 00", 5, "distance 0"],
    ["a distance before the start", "05 00 61 0f 00 00 00 80", 5, "distance 2147483648"],
    ["a copy beyond the size", "03 00 61 0e 01 00", 3, "holds more"],
    ["too few bytes", "05 04 61 62", 5, "holds 2"],
  ])("refuses %s", (_, hex, size, reason) => {
    expect(() => decompressSnappy(bytes(hex), size)).toThrow(reason);
  });

  it("reads all forms of literals and copies", () => {
    const text = (hex: string, size: number): string => Buffer.from(decompressSnappy(bytes(hex), size)).toString();
    expect(text("07 08 61 62 63 01 03", 7)).toBe("abcabca");
    expect(text("06 08 61 62 63 0a 03 00", 6)).toBe("abcabc");
    expect(text("06 08 61 62 63 0b 03 00 00 00", 6)).toBe("abcabc");
    expect(text("03 f0 02 61 62 63", 3)).toBe("abc");
    expect(text("03 fc 02 00 00 00 61 62 63", 3)).toBe("abc");
  });
});
