import type { BrokerHandle } from "@pulsewire/apache-pulsar";
import { expect } from "vitest";
import type { BehaviourContext } from "../../src/suite/behaviour-context.ts";
import { type ClusterUnderTest, onOwnCluster } from "../../src/suite/on-each-broker.ts";
import { numbered, receive, sendAll, texts } from "../../src/suite/receiving.ts";
import { nextState } from "../../src/suite/state-changes.ts";
import { firstArrivals, NumberCollector, SteadyTraffic } from "../../src/suite/steady-traffic.ts";

const patientMs = 180_000;

async function ownerOf(context: BehaviourContext<ClusterUnderTest>, topic: string): Promise<BrokerHandle> {
  const { brokerUrl } = await context.admin.lookup(topic);
  const owner = context.broker.cluster.brokers.find(({ serviceUrl }) => serviceUrl === brokerUrl);
  if (owner === undefined) throw new Error(`no broker of the cluster is at ${brokerUrl}`);
  return owner;
}

/** Topics until each broker has at least one. */
async function spreadTopics(context: BehaviourContext<ClusterUnderTest>): Promise<Map<BrokerHandle, string[]>> {
  const byOwner = new Map<BrokerHandle, string[]>();
  for (let tries = 0; tries < 60 && byOwner.size < context.broker.cluster.brokers.length; tries++) {
    const topic = context.newTopic();
    const owner = await ownerOf(context, topic);
    byOwner.set(owner, [...(byOwner.get(owner) ?? []), topic]);
  }
  return byOwner;
}

onOwnCluster("a cluster of two brokers", { brokers: 2 }, (behaviour) => {
  behaviour(
    "is served whole by a client that knows one broker: lookups are redirected",
    async (context) => {
      const byOwner = await spreadTopics(context);
      expect(byOwner.size).toBe(2);
      for (const { serviceUrl } of context.broker.cluster.brokers) {
        const client = context.connect({ serviceUrl });
        for (const topics of byOwner.values()) {
          for (const topic of topics.slice(0, 5)) {
            const consumer = await client.subscribe({ topic, subscription: "s" });
            const producer = await client.createProducer({ topic });
            await sendAll(producer, numbered(10));
            expect(texts(await receive(consumer, 10))).toEqual(numbered(10));
            await consumer.unsubscribe();
            await producer.close();
          }
        }
      }
    },
    patientMs,
  );

  behaviour(
    "loses nothing when a topic is unloaded to the other broker",
    async (context) => {
      const { topic } = context;
      const from = await ownerOf(context, topic);
      const to = context.broker.cluster.brokers.find((broker) => broker !== from);
      const client = context.connect();
      const producer = await client.createProducer({ topic });
      const consumer = await client.subscribe({ topic, subscription: "s" });
      const collector = new NumberCollector(consumer);
      const traffic = new SteadyTraffic(producer);
      await traffic.moreReceipts(100);
      const ready = Promise.all([nextState(producer, "ready"), nextState(consumer, "ready")]);
      const bundle = (await context.admin.request("GET", bundlePath(topic))) as string;
      const target = new URL(to?.adminUrl ?? "").host;
      await context.admin.request(
        "PUT",
        `/admin/v2/namespaces/public/default/${bundle}/unload?destinationBroker=${target}`,
      );
      await ready;
      expect(await ownerOf(context, topic)).toBe(to);
      await traffic.moreReceipts(100);
      const { resolved, rejected } = await traffic.stop();
      expect(rejected).toEqual([]);
      expect(firstArrivals(await collector.all(resolved))).toEqual(resolved);
    },
    patientMs,
  );

  behaviour(
    "loses nothing when the broker of a topic is killed: the other one takes over",
    async (context) => {
      const { topic } = context;
      const owner = await ownerOf(context, topic);
      const client = context.connect({ backoff: { maxMs: 2000 } });
      const producer = await client.createProducer({ topic, sendTimeoutMs: 0 });
      const consumer = await client.subscribe({ topic, subscription: "s" });
      const collector = new NumberCollector(consumer);
      const traffic = new SteadyTraffic(producer);
      await traffic.moreReceipts(100);
      const ready = Promise.all([nextState(producer, "ready"), nextState(consumer, "ready")]);
      await owner.kill();
      await ready;
      await traffic.moreReceipts(100);
      const { resolved, rejected } = await traffic.stop();
      expect(rejected).toEqual([]);
      expect(firstArrivals(await collector.all(resolved))).toEqual(resolved);
    },
    patientMs,
  );
});

function bundlePath(topic: string): string {
  return `/lookup/v2/topic/${topic.replace("://", "/")}/bundle`;
}
