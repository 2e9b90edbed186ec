import { access, readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type Standalone, startStandalone } from "../../src/index.ts";
import { peek, publish } from "./messages.ts";

let pulsar: Standalone;
beforeAll(async () => {
  pulsar = await startStandalone({ config: { managedLedgerNewEntriesCheckDelayInMillis: 25 } });
  await pulsar.admin.createTopic("kept");
  await pulsar.admin.request("PUT", "/admin/v2/persistent/public/default/kept/subscription/all");
  await publish(pulsar.adminUrl, "kept", ["one", "two"]);
});
afterAll(async () => await pulsar?.close());

it("is usable as soon as it is started", async () => {
  expect(pulsar.state).toBe("running");
  expect(await pulsar.admin.lookup("any")).toEqual({ brokerUrl: pulsar.serviceUrl, httpUrl: pulsar.adminUrl });
  expect(await pulsar.admin.brokers()).toHaveLength(1);
  expect(await readFile(pulsar.logFile, "utf8")).toContain("messaging service is ready");
});

it("takes settings of the caller", async () => {
  const settings = await pulsar.admin.request("GET", "/admin/v2/brokers/configuration/runtime");
  expect(settings).toMatchObject({
    managedLedgerNewEntriesCheckDelayInMillis: "25",
    acknowledgmentAtBatchIndexLevelEnabled: "true",
  });
});

it("keeps metadata and messages over a restart", async () => {
  const before = pulsar.pid;
  await pulsar.restart();
  expect(pulsar.pid).not.toBe(before);
  expect(await peek(pulsar.adminUrl, "kept", "all", 1)).toBe("one");
});

it("keeps metadata and messages when it is killed", async () => {
  await publish(pulsar.adminUrl, "kept", ["three"]);
  await pulsar.kill();
  expect(pulsar.state).toBe("stopped");
  await pulsar.start();
  expect(await peek(pulsar.adminUrl, "kept", "all", 1)).toBe("one");
  expect(await peek(pulsar.adminUrl, "kept", "all", 3)).toBe("three");
});

it("notices a JVM that dies by itself", async () => {
  const ended = pulsar.untilStopped();
  process.kill(pulsar.pid ?? 0, "SIGKILL");
  await ended;
  expect(pulsar.state).toBe("stopped");
});

it("removes its temporary folder at the end", async () => {
  await pulsar.close();
  await expect(access(pulsar.dir)).rejects.toMatchObject({ code: "ENOENT" });
});
