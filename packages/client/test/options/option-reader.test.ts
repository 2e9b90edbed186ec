import { describe, expect, it } from "vitest";
import type { InvalidConfigurationError, OptionProblem } from "../../src/errors.ts";
import { OptionReader } from "../../src/options/option-reader.ts";

/** The problems that reading some options ends with. */
function problemsOf(options: unknown, read: (reader: OptionReader) => void): readonly OptionProblem[] {
  const reader = new OptionReader("test options", options);
  read(reader);
  try {
    reader.finish();
    return [];
  } catch (error) {
    return (error as InvalidConfigurationError).problems;
  }
}

it("lists every problem at once, in the order of reading", () => {
  const problems = problemsOf({ count: -1, on: "yes", mode: "fast", name: "" }, (reader) => {
    reader.integer("count", { default: 1, min: 0 });
    reader.boolean("on", true);
    reader.oneOf("mode", ["slow", "steady"], "slow");
    reader.requiredText("name");
    reader.requiredText("topic");
  });
  expect(problems).toEqual([
    { option: "count", given: "-1", expected: "an integer from 0" },
    { option: "on", given: '"yes"', expected: "true or false" },
    { option: "mode", given: '"fast"', expected: '"slow" or "steady"' },
    { option: "name", given: '""', expected: "a text of at least one character" },
    { option: "topic", given: "undefined", expected: "a text of at least one character" },
  ]);
});

it("fills in defaults for what is absent or undefined", () => {
  const reader = new OptionReader("test options", { on: undefined });
  expect([
    reader.integer("count", { default: 7, min: 0 }),
    reader.boolean("on", true),
    reader.text("name"),
    reader.properties("properties"),
  ]).toEqual([7, true, undefined, {}]);
  reader.finish();
});

describe("an integer", () => {
  it.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, "5", null, 4, 11, 2 ** 53])("may not be %s", (given) => {
    expect(
      problemsOf({ n: given }, (reader) => void reader.integer("n", { default: 5, min: 5, max: 10 })),
    ).toHaveLength(1);
  });

  it.each([5, 10])("may be %s, an end of its range", (given) => {
    expect(new OptionReader("test options", { n: given }).integer("n", { default: 6, min: 5, max: 10 })).toBe(given);
  });
});

// B79
it("reports options that nobody reads", () => {
  const problems = problemsOf({ hashingSheme: "murmur" }, () => {});
  expect(problems).toEqual([
    { option: "hashingSheme", given: '"murmur"', expected: "left out, there is no such option" },
  ]);
});

it("names options inside an option by their path", () => {
  const problems = problemsOf({ tls: { ca: 5, cert: "x" }, backoff: "no" }, (reader) => {
    const tls = reader.nested("tls");
    tls.text("ca");
    tls.finish();
    reader.nested("backoff").finish();
  });
  expect(problems.map(({ option }) => option)).toEqual(["tls.ca", "tls.cert", "backoff"]);
});

it.each([undefined, null, "pulsar://localhost", 5, []])("asks for an object when given %s", (given) => {
  const problems = problemsOf(given, (reader) => void reader.boolean("on", true));
  expect(problems).toMatchObject([{ option: "options", expected: "an object" }]);
});

it("copies properties and refuses values that are no texts", () => {
  const given = { a: "1" };
  const properties = new OptionReader("test options", { properties: given }).properties("properties");
  expect(properties).toEqual(given);
  expect(properties).not.toBe(given);
  expect(Object.isFrozen(properties)).toBe(true);
  expect(problemsOf({ properties: { a: 1 } }, (reader) => void reader.properties("properties"))).toHaveLength(1);
});

it("shows what was given without throwing, at a bearable length", () => {
  const shown = (value: unknown): string | undefined =>
    problemsOf({ x: value }, (reader) => void reader.boolean("x", true))[0]?.given;
  expect(shown(5n)).toBe("5n");
  expect(shown(Symbol("s"))).toBe("a symbol");
  expect(shown(() => {})).toBe("a function");
  expect(shown(Object.create(null))).toBe("an object");
  expect(shown([1, 2])).toBe("an array of 2");
  expect(shown("x".repeat(1000))?.length).toBeLessThan(100);
});
