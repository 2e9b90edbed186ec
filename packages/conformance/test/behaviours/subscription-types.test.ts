import { expect } from "vitest";
import { onEachBroker } from "../../src/suite/on-each-broker.ts";
import { numbered, receive, receiveRest, sendAll, texts } from "../../src/suite/receiving.ts";

onEachBroker("subscription types", (behaviour) => {
  behaviour("Exclusive refuses a second consumer at once", async ({ connect, topic }) => {
    const client = connect();
    await client.subscribe({ topic, subscription: "s" });
    const start = performance.now();
    await expect(client.subscribe({ topic, subscription: "s" })).rejects.toMatchObject({ code: "CONSUMER_BUSY" });
    expect(performance.now() - start).toBeLessThan(5000);
  });

  behaviour("Exclusive lets the next consumer in once the first has closed", async ({ connect, topic }) => {
    const client = connect();
    const first = await client.subscribe({ topic, subscription: "s" });
    await first.close();
    const second = await client.subscribe({ topic, subscription: "s" });
    const producer = await client.createProducer({ topic });
    await sendAll(producer, ["x"]);
    expect(texts(await receive(second, 1))).toEqual(["x"]);
  });

  behaviour("refuses another type while a consumer is connected", async ({ connect, topic }) => {
    const client = connect();
    await client.subscribe({ topic, subscription: "s", subscriptionType: "Shared" });
    await expect(client.subscribe({ topic, subscription: "s", subscriptionType: "Failover" })).rejects.toMatchObject({
      code: "CONSUMER_BUSY",
    });
  });

  behaviour("Shared splits the messages, each to one consumer", async ({ connect, topic }) => {
    const options = { topic, subscription: "s", subscriptionType: "Shared", receiverQueueSize: 10 } as const;
    const consumers = [await connect().subscribe(options), await connect().subscribe(options)];
    const producer = await connect().createProducer({ topic, batchingEnabled: false });
    const sent = numbered(100);
    await sendAll(producer, sent);
    const shares: string[][] = consumers.map(() => []);
    await new Promise<void>((resolve, reject) => {
      let total = 0;
      consumers.forEach((consumer, index) => {
        const take = async (): Promise<void> => {
          for await (const message of consumer.messages()) {
            shares[index]?.push(message.data.toString());
            await consumer.acknowledge(message);
            total += 1;
            if (total === sent.length) resolve();
          }
        };
        take().catch(reject);
      });
    });
    expect(shares.flat().sort()).toEqual([...sent].sort());
    expect(shares.every((share) => share.length > 0)).toBe(true);
  });

  behaviour("Shared hands on what a closed consumer had not acknowledged", async ({ connect, topic }) => {
    const client = connect();
    const options = { topic, subscription: "s", subscriptionType: "Shared" } as const;
    const first = await client.subscribe(options);
    const producer = await client.createProducer({ topic });
    await sendAll(producer, numbered(10));
    await receive(first, 10);
    const second = await client.subscribe(options);
    await first.close();
    expect(texts(await receive(second, 10)).sort()).toEqual(numbered(10).sort());
  });

  behaviour("Failover gives all messages to one consumer, then to the next", async ({ connect, topic }) => {
    const producer = await connect().createProducer({ topic });
    const options = { topic, subscription: "s", subscriptionType: "Failover" } as const;
    const one = await connect().subscribe({ ...options, consumerName: "a" });
    const two = await connect().subscribe({ ...options, consumerName: "b" });
    await sendAll(producer, numbered(20));
    const active = await Promise.any(
      [one, two].map(async (consumer) => {
        const message = await consumer.receive({ timeoutMs: 20_000 });
        await consumer.acknowledge(message);
        return consumer;
      }),
    );
    const standby = active === one ? two : one;
    for (const message of await receive(active, 19)) await active.acknowledge(message);
    expect(standby.queuedMessages).toBe(0);
    const takesOver = new Promise<void>((resolve) => {
      standby.on("activeConsumerChange", ({ isActive }) => {
        if (isActive) resolve();
      });
    });
    // The standby's own wait, begun above, takes the first message.
    await active.close();
    await takesOver;
    expect(standby.isActive).toBe(true);
  });

  behaviour("Key_Shared keeps each key with one consumer and in order", async ({ connect, topic }) => {
    const options = { topic, subscription: "s", subscriptionType: "Key_Shared" } as const;
    const consumers = [await connect().subscribe(options), await connect().subscribe(options)];
    const producer = await connect().createProducer({ topic, batchingEnabled: false });
    const keys = numbered(20);
    const sends = keys.flatMap((key) =>
      [0, 1, 2, 3, 4].map((n) => ({ key, value: Buffer.from(`${key} ${String(n)}`) })),
    );
    await Promise.all(sends.map((message) => producer.send(message)));
    const received = await Promise.all(consumers.map((consumer) => receiveRest(consumer, 2000)));
    expect(received.flat()).toHaveLength(100);
    for (const key of keys) {
      const owners = received.filter((share) => share.some((message) => message.key === key));
      expect(owners).toHaveLength(1);
      expect(texts((owners[0] ?? []).filter((message) => message.key === key))).toEqual(
        [0, 1, 2, 3, 4].map((n) => `${key} ${String(n)}`),
      );
    }
  });

  behaviour("Key_Shared with sticky ranges gives the whole range to its owner", async ({ connect, topic }) => {
    const sticky = (start: number, end: number) =>
      ({
        topic,
        subscription: "s",
        subscriptionType: "Key_Shared",
        keySharedPolicy: { mode: "Sticky", ranges: [{ start, end }] },
      }) as const;
    const low = await connect().subscribe(sticky(0, 32_767));
    const high = await connect().subscribe(sticky(32_768, 65_535));
    await expect(connect().subscribe(sticky(100, 200))).rejects.toMatchObject({ code: "CONSUMER_ASSIGN" });
    const producer = await connect().createProducer({ topic, batchingEnabled: false });
    await Promise.all(numbered(50).map((key) => producer.send({ key, value: Buffer.from(key) })));
    const [lows, highs] = await Promise.all([receiveRest(low, 2000), receiveRest(high, 2000)]);
    expect(lows.length).toBeGreaterThan(0);
    expect(highs.length).toBeGreaterThan(0);
    expect(texts([...lows, ...highs]).sort()).toEqual(numbered(50).sort());
  });

  behaviour("a NonDurable subscription ends with its consumer", async ({ connect, topic, admin }) => {
    const client = connect();
    const consumer = await client.subscribe({ topic, subscription: "s", subscriptionMode: "NonDurable" });
    expect(await admin.subscriptions(topic)).toContain("s");
    await consumer.close();
    expect(await admin.subscriptions(topic)).not.toContain("s");
  });

  behaviour("unsubscribe deletes the subscription with its backlog", async ({ connect, topic, admin }) => {
    const client = connect();
    const consumer = await client.subscribe({ topic, subscription: "s" });
    const producer = await client.createProducer({ topic });
    await sendAll(producer, numbered(3));
    await consumer.unsubscribe();
    expect(await admin.subscriptions(topic)).toEqual([]);
    const again = await client.subscribe({ topic, subscription: "s" });
    await sendAll(producer, ["after"]);
    expect(texts(await receive(again, 1))).toEqual(["after"]);
  });

  behaviour("unsubscribe is refused while others are attached, unless forced", async ({ connect, topic, admin }) => {
    const options = { topic, subscription: "s", subscriptionType: "Shared" } as const;
    const one = await connect().subscribe(options);
    const other = connect({ backoff: { initialMs: 60_000 } });
    await other.subscribe(options);
    await expect(one.unsubscribe()).rejects.toMatchObject({ code: "BROKER_METADATA" });
    expect(one.state).toBe("ready");
    await one.unsubscribe({ force: true });
    expect(await admin.subscriptions(topic)).toEqual([]);
  });
});
