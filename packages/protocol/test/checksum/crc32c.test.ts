import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { crc32c, setCrc32c } from "../../src/checksum/crc32c.ts";
import { crc32cByTables } from "../../src/checksum/crc32c-table.ts";
import { CRC32C_MODULE_BASE64, createCrc32cWasm } from "../../src/checksum/crc32c-wasm.ts";
import { fuzzBudget } from "../fuzz-budget.ts";
import { knownAnswers } from "../vectors/known-answers.ts";
import { assembleCrc32c } from "./assemble.ts";

const wasm = createCrc32cWasm();
if (wasm === undefined) throw new Error("this host has no WebAssembly");

const implementations = { crc32c, "by tables": crc32cByTables, "by WebAssembly": wasm } as const;

function inputOf(answer: (typeof knownAnswers.crc32c)[number]): Uint8Array {
  if (answer.hex !== undefined) return Buffer.from(answer.hex, "hex");
  const factor = Number(/\*(\d+)$/.exec(answer.what)?.[1]);
  return Uint8Array.from({ length: answer.length }, (_, i) => (i * factor) & 255);
}

describe.each(Object.entries(implementations))("CRC-32C %s", (_, implementation) => {
  it.each(knownAnswers.crc32c)("gives the known answer for $what", (answer) => {
    const input = inputOf(answer);
    expect(implementation(input, 0, input.length, 0)).toBe(answer.crc32c_unsigned);
  });

  it("gives the same for every length around the step sizes and at odd offsets", () => {
    const buf = Uint8Array.from({ length: 900 }, (_, i) => (i * 31 + (i >> 3)) & 255);
    for (let length = 0; length < 880; length += length < 70 ? 1 : 13) {
      for (const start of [0, 1, 3]) {
        let expected = 0xffffffff;
        for (let i = start; i < start + length; i++) {
          expected ^= buf[i] as number;
          for (let bit = 0; bit < 8; bit++) expected = expected & 1 ? (expected >>> 1) ^ 0x82f63b78 : expected >>> 1;
        }
        expect(implementation(buf, start, start + length, 0)).toBe(~expected >>> 0);
      }
    }
  });

  it("reads a view into a larger buffer, not the buffer", () => {
    const whole = Uint8Array.from({ length: 3000 }, (_, i) => i & 255);
    const view = whole.subarray(101, 2101);
    expect(implementation(view, 0, view.length, 0)).toBe(implementation(whole, 101, 2101, 0));
  });

  it("goes on from the checksum of the bytes before", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 2000 }), fc.nat(2000), (bytes, cut) => {
        const at = Math.min(cut, bytes.length);
        const whole = implementation(bytes, 0, bytes.length, 0);
        expect(implementation(bytes, at, bytes.length, implementation(bytes, 0, at, 0))).toBe(whole);
        expect(whole).toBe(crc32cByTables(bytes, 0, bytes.length, 0));
      }),
      fuzzBudget(),
    );
  });
});

describe("the WebAssembly module", () => {
  it("is what its text assembles to", async () => {
    expect(await assembleCrc32c()).toBe(CRC32C_MODULE_BASE64);
  });

  it("takes input larger than its memory piece by piece", () => {
    const input = Uint8Array.from({ length: 300_001 }, (_, i) => (i * 7) & 255);
    expect(wasm(input, 0, input.length, 5)).toBe(crc32cByTables(input, 0, input.length, 5));
  });

  it("is done without where the host has no WebAssembly", () => {
    const kept = Object.getOwnPropertyDescriptor(globalThis, "WebAssembly");
    if (kept === undefined) throw new Error("this host has no WebAssembly");
    try {
      Object.defineProperty(globalThis, "WebAssembly", { value: undefined, configurable: true });
      expect(createCrc32cWasm()).toBeUndefined();
      const forbids = {
        Module: class {
          constructor() {
            throw new Error("forbidden by policy");
          }
        },
      };
      Object.defineProperty(globalThis, "WebAssembly", { value: forbids, configurable: true });
      expect(createCrc32cWasm()).toBeUndefined();
    } finally {
      Object.defineProperty(globalThis, "WebAssembly", kept);
    }
  });
});

describe("setCrc32c", () => {
  afterEach(() => setCrc32c(undefined));

  it("puts another implementation in place and brings the built-in one back", () => {
    const bytes = Buffer.from("123456789");
    setCrc32c((buf, start, end, previous) => buf.length + start + end + previous);
    expect(crc32c(bytes, 1, 5, 7)).toBe(9 + 1 + 5 + 7);
    setCrc32c(undefined);
    expect(crc32c(bytes)).toBe(0xe3069283);
  });
});
