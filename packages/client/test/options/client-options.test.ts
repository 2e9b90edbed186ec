import { expect, it } from "vitest";
import { type ClientOptions, resolveClientOptions } from "../../src/options/client-options.ts";
import { silentLogger } from "../../src/util/logger.ts";

it("has Java's defaults, and verifies host names", () => {
  const options = resolveClientOptions({ serviceUrl: "pulsar://localhost" });
  expect(options).toMatchObject({
    hosts: [{ host: "localhost", port: 6650 }],
    usesTls: false,
    operationTimeoutMs: 30_000,
    lookupTimeoutMs: 30_000,
    connectionTimeoutMs: 10_000,
    keepAliveIntervalMs: 30_000,
    maxLookupRedirects: 20,
    concurrentLookupRequests: 5000,
    connectionsPerBroker: 1,
    listenerName: undefined,
    backoff: { initialMs: 100, maxMs: 60_000 },
    memoryLimitBytes: 67_108_864,
    logger: silentLogger,
  });
  expect(options.authentication.methodName).toBe("none");
  expect(options.tls).toMatchObject({ hostnameVerification: true, allowInsecureConnection: false });
});

it("takes all hosts of a service URL", () => {
  const { hosts, usesTls } = resolveClientOptions({ serviceUrl: "pulsar+ssl://a,b:7000" });
  expect(hosts).toMatchObject([
    { host: "a", port: 6651 },
    { host: "b", port: 7000 },
  ]);
  expect(usesTls).toBe(true);
});

it("lets lookups take as long as operations unless told otherwise", () => {
  const given = { serviceUrl: "pulsar://localhost", operationTimeoutMs: 5000 };
  expect(resolveClientOptions(given).lookupTimeoutMs).toBe(5000);
  expect(resolveClientOptions({ ...given, lookupTimeoutMs: 1000 }).lookupTimeoutMs).toBe(1000);
});

it("shows nothing of what looks like a secret", () => {
  const given = { serviceUrl: "pulsar://localhost", authentication: "a-token", password: "hunter2", listenerName: 1 };
  try {
    resolveClientOptions(given as unknown as ClientOptions);
    expect.unreachable();
  } catch (error) {
    const { message } = error as Error;
    expect(message).not.toMatch(/a-token|hunter2/);
    expect(message).toContain("authentication must be an Authentication, got a text of 7 characters");
    expect(message).toContain("password must be left out, there is no such option, got a text of 7 characters");
    expect(message).toContain("got 1");
  }
});

it.each([
  [{}, ["serviceUrl"]],
  [{ serviceUrl: "localhost:6650" }, ["serviceUrl"]],
  [{ serviceUrl: "http://localhost:8080" }, ["serviceUrl"]],
  [{ serviceUrl: "pulsar://localhost", authentication: { methodName: "token" } }, ["authentication"]],
  [{ serviceUrl: "pulsar://localhost", logger: { info: () => {} } }, ["logger"]],
  [{ serviceUrl: "pulsar://localhost", tls: { ca: "x" } }, ["tls"]],
  [{ serviceUrl: "pulsar+ssl://localhost", tls: { cert: "x" } }, ["tls.key"]],
  [{ serviceUrl: "pulsar://localhost", backoff: { initialMs: 500, maxMs: 400 } }, ["backoff.maxMs"]],
  [
    { serviceUrl: "pulsar://localhost", operationTimeoutMs: 0, keepAliveIntervalMs: 1.5 },
    ["operationTimeoutMs", "keepAliveIntervalMs"],
  ],
  [{ serviceUrl: "pulsar://localhost", operationTimeoutMs: 2 ** 31 }, ["operationTimeoutMs"]],
  [{ serviceUrl: "pulsar://localhost", operationTimeoutSeconds: 30 }, ["operationTimeoutSeconds"]],
])("refuses %j", (given, expected) => {
  try {
    resolveClientOptions(given as unknown as ClientOptions);
    expect.unreachable();
  } catch (error) {
    expect(error).toMatchObject({ code: "INVALID_CONFIGURATION" });
    const { problems } = error as { problems: { option: string }[] };
    expect(problems.map(({ option }) => option)).toEqual(expected);
  }
});

// B78
it("takes a frozen object and leaves the caller's options as they are", () => {
  const given = Object.freeze({ serviceUrl: "pulsar://localhost", backoff: Object.freeze({ initialMs: 5 }) });
  expect(resolveClientOptions(given).backoff).toEqual({ initialMs: 5, maxMs: 60_000 });
});
