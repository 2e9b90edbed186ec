import { expect, it } from "vitest";
import { extractPrograms } from "../src/extract-programs.ts";

const fence = "```";

it("finds TypeScript and JavaScript blocks under their heading", () => {
  const text = [
    "# Title",
    "",
    `${fence}ts`,
    "one();",
    fence,
    "## Next",
    `${fence}js`,
    "two();",
    "three();",
    fence,
  ].join("\n");
  expect(extractPrograms(text)).toEqual([
    { title: "Title", line: 3, language: "ts", source: "one();\n" },
    { title: "Next", line: 7, language: "js", source: "two();\nthree();\n" },
  ]);
});

it("leaves out other languages and what is marked as a fragment", () => {
  const text = [`${fence}sh`, "npm test", fence, `${fence}ts fragment`, "x", fence, fence, "plain", fence].join("\n");
  expect(extractPrograms(text)).toEqual([]);
});

it("takes no heading out of a block", () => {
  const text = ["# Right", `${fence}sh`, "# a comment", fence, `${fence}ts`, fence].join("\n");
  expect(extractPrograms(text).map(({ title }) => title)).toEqual(["Right"]);
});
