import { afterEach, expect, it, vi } from "vitest";
import { acquireShared } from "../src/shared.ts";

afterEach(() => vi.unstubAllEnvs());

it("uses the Apache Pulsar that the environment names", async () => {
  vi.stubEnv("PULSAR_SERVICE_URL", "pulsar://broker:6650");
  vi.stubEnv("PULSAR_ADMIN_URL", "http://broker:8080");
  const shared = await acquireShared();
  expect(shared).toMatchObject({
    serviceUrl: "pulsar://broker:6650",
    adminUrl: "http://broker:8080",
    webSocketUrl: "ws://broker:8080",
    isExternal: true,
  });
  await shared.close();
  expect(process.env["PULSAR_SERVICE_URL"]).toBe("pulsar://broker:6650");
});

it("refuses half an address", async () => {
  vi.stubEnv("PULSAR_SERVICE_URL", "pulsar://broker:6650");
  vi.stubEnv("PULSAR_ADMIN_URL", "");
  await expect(acquireShared()).rejects.toMatchObject({
    code: "INVALID_OPTION",
    message: expect.stringContaining("PULSAR_ADMIN_URL is not set") as string,
  });
});
