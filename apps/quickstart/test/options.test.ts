import { expect, it } from "vitest";
import { readOptions, UsageError } from "../src/options.ts";

it("publishes once per second for 20 seconds by default", () => {
  expect(readOptions([])).toEqual({ seconds: 20, rate: 1 });
});

it("reads seconds and rate", () => {
  expect(readOptions(["--seconds", "3", "--rate=10"])).toEqual({ seconds: 3, rate: 10 });
});

it.each([
  [["--seconds", "0"], "--seconds must be a number from 1 to 86400"],
  [["--seconds", "soon"], 'was "soon"'],
  [["--rate="], "--rate must be a number"],
  [["--fast"], "--fast"],
])("refuses %j and says why", (args, message) => {
  expect(() => readOptions(args)).toThrow(UsageError);
  expect(() => readOptions(args)).toThrow(message);
});
