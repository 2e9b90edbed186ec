import { encodeCommand, ServerError } from "@pulsewire/protocol";
import { expect } from "vitest";
import type { FaultProxy } from "../../src/fault-proxy/fault-proxy.ts";
import { type FrameAction, pass } from "../../src/fault-proxy/frame-hook.ts";
import { onEachBroker } from "../../src/suite/on-each-broker.ts";
import { numbered, receive, sendAll, texts } from "../../src/suite/receiving.ts";
import { nextState } from "../../src/suite/state-changes.ts";
import { firstArrivals, NumberCollector, SteadyTraffic } from "../../src/suite/steady-traffic.ts";

/** Ways to break the connections that are open. */
const cuts: Readonly<Record<string, (proxy: FaultProxy) => void>> = {
  "an orderly close": (proxy) => proxy.cutAll(),
  "a reset": (proxy) => proxy.cutAll({ reset: true }),
  "a cut in the middle of a frame to the broker": (proxy) => cutOnce(proxy, "SEND", (bytes) => bytes >> 1),
  "a cut right before a SEND": (proxy) => cutOnce(proxy, "SEND", () => 0),
  "a cut right behind a SEND, so that its receipt is lost": (proxy) => cutOnce(proxy, "SEND", (bytes) => bytes),
  "a cut inside a SEND_RECEIPT": (proxy) => cutOnce(proxy, "SEND_RECEIPT", () => 6),
  "a cut inside a MESSAGE": (proxy) => cutOnce(proxy, "MESSAGE", (bytes) => bytes - 1),
};

function cutOnce(proxy: FaultProxy, type: string, at: (frameBytes: number) => number): void {
  const remove = proxy.onFrame((frame): FrameAction => {
    if (frame.type !== type) return pass;
    remove();
    return { kind: "cut", bytes: at(frame.bytes.length) };
  });
}

async function nextConnection(proxy: FaultProxy): Promise<void> {
  await new Promise<void>((resolve) => {
    const remove = proxy.onConnection(() => {
      remove();
      resolve();
    });
  });
}

onEachBroker("a broken connection", (behaviour) => {
  for (const [name, cut] of Object.entries(cuts)) {
    behaviour(`loses nothing and keeps the order after ${name}, five times`, async (context) => {
      const proxy = await context.startProxy();
      const client = context.connect({ serviceUrl: proxy.serviceUrl });
      const producer = await client.createProducer({ topic: context.topic });
      const consumer = await client.subscribe({ topic: context.topic, subscription: "s" });
      const collector = new NumberCollector(consumer);
      const traffic = new SteadyTraffic(producer);
      for (let round = 0; round < 5; round++) {
        await traffic.moreReceipts(50);
        const replaced = nextConnection(proxy);
        cut(proxy);
        await replaced;
        await traffic.moreReceipts(50);
      }
      const { resolved, rejected } = await traffic.stop();
      expect(rejected).toEqual([]);
      const received = await collector.all(resolved);
      expect(firstArrivals(received)).toEqual(resolved);
      expect(producer.stats.pendingMessages).toBe(0);
    });
  }

  behaviour("loses nothing when bytes trickle in tiny pieces", async (context) => {
    const proxy = await context.startProxy();
    proxy.onConnection((connection) => {
      connection.shape("toBroker", { chunkBytes: 7 });
      connection.shape("toClient", { chunkBytes: 3 });
    });
    const client = context.connect({ serviceUrl: proxy.serviceUrl });
    const consumer = await client.subscribe({ topic: context.topic, subscription: "s" });
    const producer = await client.createProducer({ topic: context.topic, batchingMaxMessages: 10 });
    await sendAll(producer, numbered(200));
    expect(texts(await receive(consumer, 200))).toEqual(numbered(200));
  });

  behaviour("waits through a stall in each direction and goes on", async (context) => {
    const proxy = await context.startProxy();
    const client = context.connect({ serviceUrl: proxy.serviceUrl });
    const consumer = await client.subscribe({ topic: context.topic, subscription: "s" });
    const producer = await client.createProducer({ topic: context.topic });
    const accepted = proxy.acceptedConnections;
    for (const direction of ["toBroker", "toClient"] as const) {
      for (const connection of proxy.connections) connection.stall(direction);
      const sending = sendAll(producer, numbered(50));
      await Promise.race([sending, new Promise((resolve) => setTimeout(resolve, 300))]);
      for (const connection of proxy.connections) connection.resume(direction);
      await sending;
      expect(texts(await receive(consumer, 50))).toEqual(numbered(50));
    }
    expect(proxy.acceptedConnections).toBe(accepted);
  });

  for (const direction of ["toBroker", "toClient"] as const) {
    behaviour(`is given up by keep-alive when the way ${direction} is dead, and replaced`, async (context) => {
      const proxy = await context.startProxy();
      const client = context.connect({ serviceUrl: proxy.serviceUrl, keepAliveIntervalMs: 500 });
      const consumer = await client.subscribe({ topic: context.topic, subscription: "s", subscriptionType: "Shared" });
      const producer = await client.createProducer({ topic: context.topic });
      const accepted = proxy.acceptedConnections;
      const replaced = Promise.all([nextState(producer, "ready"), nextState(consumer, "ready")]);
      for (const connection of proxy.connections) connection.stall(direction);
      const sending = sendAll(producer, numbered(10));
      await replaced;
      await sending;
      expect(proxy.acceptedConnections).toBe(accepted * 2);
      // At least once: what was written into the dead way may come twice.
      const received = new Set<string>();
      while (received.size < 10) for (const text of texts(await receive(consumer, 1))) received.add(text);
      expect([...received].sort()).toEqual(numbered(10).sort());
    });
  }

  behaviour("is replaced when the broker sends bytes that are no frame", async (context) => {
    const proxy = await context.startProxy();
    const client = context.connect({ serviceUrl: proxy.serviceUrl });
    const consumer = await client.subscribe({ topic: context.topic, subscription: "s" });
    const producer = await client.createProducer({ topic: context.topic });
    const replaced = Promise.all([nextState(producer, "ready"), nextState(consumer, "ready")]);
    for (const connection of proxy.connections) connection.inject("toClient", Buffer.alloc(64, 0xff));
    await replaced;
    await sendAll(producer, numbered(10));
    expect(texts(await receive(consumer, 10))).toEqual(numbered(10));
  });

  behaviour("brings 1,000 messages to a consumer with a queue of 10 that was half full", async (context) => {
    const proxy = await context.startProxy();
    const client = context.connect({ serviceUrl: proxy.serviceUrl });
    const producer = await context.connect().createProducer({ topic: context.topic, batchingEnabled: false });
    const consumer = await client.subscribe({ topic: context.topic, subscription: "s", receiverQueueSize: 10 });
    await sendAll(producer, numbered(100));
    await consumer.acknowledge(await receive(consumer, 5));
    for (let round = 0; round < 3; round++) {
      const ready = nextState(consumer, "ready");
      proxy.cutAll();
      await ready;
    }
    await sendAll(producer, numbered(900, 100));
    const missing = new Set(numbered(995, 5));
    while (missing.size > 0) {
      const message = await consumer.receive({ timeoutMs: 20_000 });
      missing.delete(message.data.toString());
      await consumer.acknowledge(message);
    }
  });

  behaviour("sends acknowledgements that it swallowed again, or brings their messages back", async (context) => {
    const proxy = await context.startProxy();
    const client = context.connect({ serviceUrl: proxy.serviceUrl });
    const producer = await client.createProducer({ topic: context.topic });
    const consumer = await client.subscribe({ topic: context.topic, subscription: "s" });
    await sendAll(producer, numbered(10));
    const messages = await receive(consumer, 10);
    const ready = nextState(consumer, "ready");
    await consumer.acknowledge(messages);
    proxy.cutAll();
    await ready;
    await sendAll(producer, ["last"]);
    for (;;) {
      const message = await consumer.receive({ timeoutMs: 20_000 });
      await consumer.acknowledge(message);
      if (message.data.toString() === "last") break;
    }
    await consumer.close();
    const stats = (await context.admin.topicStats(context.topic)) as {
      readonly subscriptions: Readonly<Record<string, { readonly msgBacklog: number }>>;
    };
    expect(stats.subscriptions["s"]?.msgBacklog).toBe(0);
  });

  for (const [name, error] of [
    ["busy with its own ghost", ServerError.ConsumerBusy],
    ["unable for a reason it does not know", ServerError.UnknownError],
  ] as const) {
    behaviour(`is asked again by a consumer that meets a subscription ${name}`, async (context) => {
      const proxy = await context.startProxy();
      const client = context.connect({ serviceUrl: proxy.serviceUrl });
      const consumer = await client.subscribe({ topic: context.topic, subscription: "s" });
      let refusals = 0;
      const states: string[] = [];
      proxy.onFrame(({ command, connection }): FrameAction => {
        if (command.type !== "SUBSCRIBE" || refusals === 3) return pass;
        refusals += 1;
        states.push(consumer.state);
        const { requestId } = command.body;
        connection.inject("toClient", encodeCommand("ERROR", { requestId, error, message: "refused" }));
        return { kind: "drop" };
      });
      const ready = nextState(consumer, "ready");
      proxy.cutAll();
      await ready;
      expect(states).toEqual(["reconnecting", "reconnecting", "reconnecting"]);
      await sendAll(await client.createProducer({ topic: context.topic }), ["x"]);
      expect(texts(await receive(consumer, 1))).toEqual(["x"]);
    });
  }

  behaviour("leaves no ghost when the client closes while it reconnects", async (context) => {
    const proxy = await context.startProxy();
    const client = context.connect({ serviceUrl: proxy.serviceUrl });
    const consumer = await client.subscribe({ topic: context.topic, subscription: "s" });
    const producer = await client.createProducer({ topic: context.topic });
    const away = Promise.all([nextState(producer, "reconnecting"), nextState(consumer, "reconnecting")]);
    proxy.cutAll();
    await away;
    await client.close();
    const next = await context.connect().subscribe({ topic: context.topic, subscription: "s" });
    await sendAll(await context.connect().createProducer({ topic: context.topic }), ["x"]);
    expect(texts(await receive(next, 1))).toEqual(["x"]);
    const stats = (await context.admin.topicStats(context.topic)) as { readonly publishers: readonly unknown[] };
    expect(stats.publishers).toHaveLength(1);
  });

  behaviour("stores nothing twice on a topic with deduplication when receipts are lost", async (context) => {
    const { admin, topic } = context;
    await admin.createTopic(topic);
    const policy = `${topic.replace("://", "/").replace(/^/u, "/admin/v2/")}/deduplicationEnabled`;
    await admin.request("POST", policy, true);
    const proxy = await context.startProxy();
    const client = context.connect({ serviceUrl: proxy.serviceUrl });
    const producer = await client.createProducer({ topic, name: "p" });
    const consumer = await context.connect().subscribe({ topic, subscription: "s" });
    // Topic policies arrive a little later: the producer's last id is known once they have.
    const collector = new NumberCollector(consumer);
    const traffic = new SteadyTraffic(producer);
    for (let round = 0; round < 3; round++) {
      await traffic.moreReceipts(50);
      cutOnce(proxy, "SEND_RECEIPT", () => 0);
    }
    await traffic.moreReceipts(50);
    const { resolved, rejected } = await traffic.stop();
    expect(rejected).toEqual([]);
    expect(await collector.all(resolved)).toEqual(resolved);
  });
});

onEachBroker("a topic that is unloaded", (behaviour) => {
  behaviour("is found again by one reconnect, with nothing lost and the order kept", async (context) => {
    const { admin, topic } = context;
    const proxy = await context.startProxy();
    const client = context.connect({ serviceUrl: proxy.serviceUrl });
    const producer = await client.createProducer({ topic });
    const consumer = await client.subscribe({ topic, subscription: "s" });
    const collector = new NumberCollector(consumer);
    const traffic = new SteadyTraffic(producer);
    await traffic.moreReceipts(100);
    const accepted = proxy.acceptedConnections;
    let reconnects = 0;
    producer.on("stateChange", ({ state }) => {
      if (state === "reconnecting") reconnects += 1;
    });
    const ready = Promise.all([nextState(producer, "ready"), nextState(consumer, "ready")]);
    await admin.unloadTopic(topic);
    await ready;
    await traffic.moreReceipts(100);
    const { resolved, rejected } = await traffic.stop();
    expect(rejected).toEqual([]);
    expect(firstArrivals(await collector.all(resolved))).toEqual(resolved);
    expect(reconnects).toBe(1);
    expect(proxy.acceptedConnections).toBe(accepted);
  });

  behaviour("ten times in a row loses nothing", async ({ connect, topic, admin }) => {
    const client = connect();
    const producer = await client.createProducer({ topic });
    const consumer = await client.subscribe({ topic, subscription: "s" });
    const collector = new NumberCollector(consumer);
    const traffic = new SteadyTraffic(producer);
    for (let round = 0; round < 10; round++) {
      await traffic.moreReceipts(20);
      await admin.unloadTopic(topic);
    }
    await traffic.moreReceipts(20);
    const { resolved, rejected } = await traffic.stop();
    expect(rejected).toEqual([]);
    expect(firstArrivals(await collector.all(resolved))).toEqual(resolved);
  });
});
