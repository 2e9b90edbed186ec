import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeBase64, encodeBase64, fromBase64, toBase64 } from "../../src/base64/base64.ts";
import { fuzzBudget } from "../fuzz-budget.ts";

it("writes and reads the same with and without the host's Buffer", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      const text = Buffer.from(bytes).toString("base64");
      const unpadded = text.replace(/=+$/, "");
      expect(toBase64(bytes)).toBe(text);
      expect(encodeBase64(bytes)).toBe(text);
      expect(fromBase64(text)).toEqual(bytes);
      expect(fromBase64(unpadded)).toEqual(bytes);
      expect(decodeBase64(text, unpadded.length)).toEqual(bytes);
    }),
    fuzzBudget(),
  );
});

it.each(["a", "a===", "ab=", "abc==", "a b=", "ab\ncd", "ab-_", "=", "a=bc"])("refuses %j", (text) => {
  expect(fromBase64(text)).toBeUndefined();
});

it("writes a view into a larger buffer, not the buffer", () => {
  expect(toBase64(Uint8Array.from([1, 2, 3, 4, 5]).subarray(1, 4))).toBe("AgME");
});
