import { describe, expect, it } from "vitest";
import { apachePulsarFailures } from "../../src/known-failures/apache-pulsar.ts";
import { knownFailure } from "../../src/known-failures/known-failures.ts";
import { isStrict } from "../../src/run/strict-mode.ts";

describe("known failures", () => {
  it("of Apache Pulsar are none: it is the judge", () => {
    expect(apachePulsarFailures).toEqual({});
  });

  it("are looked up by group and behaviour", () => {
    expect(knownFailure("apache-pulsar", "seek", "to an id")).toBeUndefined();
  });
});

describe("strict mode", () => {
  it.each([
    [undefined, false],
    ["", false],
    ["0", false],
    ["1", true],
  ])("PULSEWIRE_STRICT=%s is %s", (value, expected) => {
    expect(isStrict(value === undefined ? {} : { PULSEWIRE_STRICT: value })).toBe(expected);
  });
});
