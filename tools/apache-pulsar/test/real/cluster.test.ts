import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { type BrokerHandle, type Cluster, startCluster } from "../../src/index.ts";
import { peek, publish } from "./messages.ts";

const topics = Array.from({ length: 8 }, (_, index) => `topic-${index}`);
let cluster: Cluster;
let first: BrokerHandle;
let second: BrokerHandle;
beforeAll(async () => {
  cluster = await startCluster({ brokers: 2 });
  const [a, b] = cluster.brokers;
  if (a === undefined || b === undefined) throw new Error("there are not two brokers");
  [first, second] = [a, b];
  for (const topic of topics) await first.admin.createTopic(topic);
});
afterAll(async () => await cluster?.close());

const owners = async (broker: BrokerHandle): Promise<readonly string[]> =>
  await Promise.all(topics.map(async (topic) => (await broker.admin.lookup(topic)).brokerUrl));

it("spreads topics over its brokers, which agree on who owns what", async () => {
  const seen = await owners(first);
  expect(new Set(seen)).toEqual(new Set([first.serviceUrl, second.serviceUrl]));
  expect(await owners(second)).toEqual(seen);
  expect(cluster.serviceUrl).toBe(`${first.serviceUrl},${second.serviceUrl.replace("pulsar://", "")}`);
});

it("hands the topics of a killed broker to the other one, and takes the broker back", async () => {
  await second.kill();
  await vi.waitUntil(
    async () => (await owners(first).catch(() => [second.serviceUrl])).every((url) => url === first.serviceUrl),
    { timeout: 60_000, interval: 250 },
  );
  await second.start();
  expect(await second.admin.brokers()).toHaveLength(2);
});

it("keeps messages when every process is killed", async () => {
  const topic = topics[0] ?? "";
  await first.admin.request("PUT", `/admin/v2/persistent/public/default/${topic}/subscription/all`);
  await publish((await first.admin.lookup(topic)).httpUrl, topic, ["one"]);
  await cluster.kill();
  await cluster.start();
  expect(await peek((await first.admin.lookup(topic)).httpUrl, topic, "all", 1)).toBe("one");
});
