import { ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import * as errors from "../src/errors.ts";
import { fromServerError } from "../src/server-errors.ts";

const { PulsarError } = errors;
const classes = Object.entries(errors).filter(([name]) => name !== "PulsarError");

it("gives each class a name and a code of its own", () => {
  const made = classes.map(([name, Class]) => {
    const error = new (Class as new (message: string, rest?: unknown) => errors.PulsarError)("x", []);
    expect(error.name).toBe(name);
    expect(PulsarError.isPulsarError(error)).toBe(true);
    return error.code;
  });
  expect(new Set(made).size).toBe(made.length);
});

it("recognises errors of another loaded copy, and nothing else", () => {
  const foreign = Object.create({ [Symbol.for("pulsewire.PulsarError")]: true });
  expect(PulsarError.isPulsarError(foreign)).toBe(true);
  expect([new Error("x"), null, undefined, "TIMEOUT", {}].some((value) => PulsarError.isPulsarError(value))).toBe(
    false,
  );
});

describe("fromServerError", () => {
  it.each(Object.entries(ServerError))("gives a typed error for %s", (name, code) => {
    const cause = new Error("below");
    const error = fromServerError(code, "why", { topic: "t", consumerName: "c", cause });
    expect(error).toMatchObject({ message: "why", serverError: name, topic: "t", consumerName: "c", cause });
    expect(error.code === "UNKNOWN_SERVER_ERROR").toBe(name === "UnknownError");
  });

  it("says the name of the error when the broker says nothing", () => {
    expect(fromServerError(ServerError.ServiceNotReady, "").message).toBe("ServiceNotReady");
    expect(fromServerError(1234, undefined)).toMatchObject({ code: "UNKNOWN_SERVER_ERROR", retryable: true });
  });
});

it("lists every bad option in the message", () => {
  const error = new errors.InvalidConfigurationError("client options", [
    { option: "a", given: "1", expected: "an integer from 2" },
    { option: "b.c", given: "null", expected: "a text" },
  ]);
  expect(error.message).toBe(
    "invalid client options: a must be an integer from 2, got 1; b.c must be a text, got null",
  );
});
