import { expect, it } from "vitest";
import { parseUpOptions } from "../../src/cli/up-options.ts";

it("takes Pulsar's own ports by default", () => {
  expect(parseUpOptions({})).toEqual({
    port: 6650,
    httpPort: 8080,
    brokers: undefined,
    start: { tls: false, auth: false, dir: undefined, keep: false, config: {} },
  });
});

it("reads settings up to the first equals sign", () => {
  expect(parseUpOptions({ set: ["a=b=c", "d="] }).start.config).toEqual({ a: "b=c", d: "" });
});

it.each([
  [{ port: "x" }, '--port must be an integer from 0 to 65535, was "x"'],
  [{ "http-port": "65536" }, '--http-port must be an integer from 0 to 65535, was "65536"'],
  [{ cluster: "0" }, '--cluster must be an integer from 1 to 8, was "0"'],
  [{ set: ["a"] }, '--set must be key=value, was "a"'],
])("refuses %j", (values, message) => {
  expect(() => parseUpOptions(values)).toThrow(message);
});
