import { expect, it } from "vitest";
import { Schema } from "../../src/schema/schema.ts";

it("passes bytes through and declares nothing", () => {
  const bytes = Buffer.from("x");
  expect(Schema.bytes.encode(bytes)).toBe(bytes);
  expect(Schema.bytes.decode(bytes)).toBe(bytes);
  expect(Schema.bytes.info).toBeUndefined();
});

it("turns texts into UTF-8 and back, and declares type String", () => {
  for (const text of ["", "plain", "한국어 é 🙂"]) {
    const data = Schema.string.encode(text);
    expect(Buffer.from(data).toString("utf8")).toBe(text);
    // As a payload comes: a view into something larger.
    const larger = Buffer.concat([Buffer.from("--"), data, Buffer.from("--")]);
    expect(Schema.string.decode(larger.subarray(2, 2 + data.length))).toBe(text);
  }
  expect(Schema.string.info).toMatchObject({ name: "String", type: 1, schemaData: new Uint8Array() });
});

it("refuses values of another type", () => {
  expect(() => Schema.bytes.encode("text" as unknown as Uint8Array)).toThrow(TypeError);
  expect(() => Schema.string.encode(5 as unknown as string)).toThrow(TypeError);
});
