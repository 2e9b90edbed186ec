import { expect, it } from "vitest";
import { toPropertiesText } from "../../src/broker-config/properties-text.ts";

it("writes one setting a line", () => {
  expect(toPropertiesText({ port: 6650, on: true, list: "a,b=c" })).toBe("port=6650\non=true\nlist=a,b=c\n");
});

it("escapes what the format would read as something else", () => {
  expect(toPropertiesText({ "a b:c": " C:\\x\n\u00e9" })).toBe("a\\ b\\:c=\\ C:\\\\x\\n\\u00e9\n");
});
