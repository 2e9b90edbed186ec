import { cpus } from "node:os";
import { expect, it } from "vitest";
import { cpuBusy, parseNetwork, TelemetrySource } from "../src/telemetry.ts";
import { telemetrySchema } from "../src/telemetry-schema.ts";

it("measures this computer with shares between 0 and 1", async () => {
  const source = await TelemetrySource.open();
  const sample = await source.sample();
  expect(sample.coresBusy).toHaveLength(cpus().length);
  for (const share of [...sample.coresBusy, cpuBusy(sample), sample.memoryUsed, sample.diskUsed]) {
    expect(share).toBeGreaterThanOrEqual(0);
    expect(share).toBeLessThanOrEqual(1);
  }
  expect(sample.memoryUsed).toBeGreaterThan(0);
});

it("adds up the traffic of all network interfaces but loopback", () => {
  const text = [
    "Inter-|   Receive                                                |  Transmit",
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed",
    "    lo:  900       1    0    0    0     0          0         0      900       1    0    0    0     0       0          0",
    "  eth0:  100       1    0    0    0     0          0         0       20       1    0    0    0     0       0          0",
    " wlan0:5000        1    0    0    0     0          0         0        3       1    0    0    0     0       0          0",
    "",
  ].join("\n");
  expect(parseNetwork(text)).toEqual({ received: 5100, sent: 23 });
});

it("knows no traffic where the system does not tell it", () => {
  expect(parseNetwork(undefined)).toBeUndefined();
});

it("keeps a sample whole through the schema", async () => {
  const sample = await (await TelemetrySource.open()).sample();
  const { network, ...rest } = telemetrySchema.decode(telemetrySchema.encode(sample));
  expect({ ...rest, network }).toEqual(sample);
});
