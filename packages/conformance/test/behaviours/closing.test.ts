import { expect } from "vitest";
import { onEachBroker } from "../../src/suite/on-each-broker.ts";
import { numbered, readAvailable, receive, sendAll, texts } from "../../src/suite/receiving.ts";

onEachBroker("closing", (behaviour) => {
  behaviour("a producer that closes publishes all 500 sends that nobody awaited", async ({ connect, topic }) => {
    const client = connect();
    const producer = await client.createProducer({ topic, batchingMaxPublishDelayMs: 2000 });
    const sends = Promise.allSettled(numbered(500).map((value) => producer.send({ value: Buffer.from(value) })));
    await producer.close();
    expect((await sends).filter(({ status }) => status === "rejected")).toEqual([]);
    const reader = await client.createReader({ topic, startMessageId: "earliest" });
    expect(texts(await readAvailable(reader))).toEqual(numbered(500));
  });

  behaviour("a producer that closes without draining settles every send", async ({ connect, topic }) => {
    const client = connect();
    const producer = await client.createProducer({ topic, batchingMaxPublishDelayMs: 60_000 });
    const sends = Promise.allSettled(numbered(50).map((value) => producer.send({ value: Buffer.from(value) })));
    await producer.close({ drain: false });
    for (const outcome of await sends) {
      expect(outcome).toMatchObject({ status: "rejected", reason: { code: "ALREADY_CLOSED" } });
    }
  });

  behaviour("the client's close drains its producers too", async ({ connect, topic }) => {
    const client = connect();
    const producer = await client.createProducer({ topic, batchingMaxPublishDelayMs: 2000 });
    const sends = Promise.all(numbered(100).map((value) => producer.send({ value: Buffer.from(value) })));
    await client.close();
    expect(await sends).toHaveLength(100);
  });

  for (const closes of ["consumer", "client"] as const) {
    behaviour(`a receive that waits rejects when the ${closes} closes`, async ({ connect, topic }) => {
      const client = connect();
      const consumer = await client.subscribe({ topic, subscription: "s" });
      const outcomes = Promise.allSettled([consumer.receive(), consumer.receive({ timeoutMs: 60_000 })]);
      await (closes === "consumer" ? consumer : client).close();
      for (const outcome of await outcomes) {
        expect(outcome).toMatchObject({ status: "rejected", reason: { code: "ALREADY_CLOSED" } });
      }
    });
  }

  behaviour("closing twice, at once or later, resolves", async ({ connect, topic }) => {
    const client = connect();
    const producer = await client.createProducer({ topic });
    const consumer = await client.subscribe({ topic, subscription: "s" });
    await Promise.all([producer.close(), producer.close(), consumer.close(), consumer.close()]);
    await Promise.all([client.close(), client.close()]);
    await client.close();
  });

  behaviour("everything rejects with ALREADY_CLOSED after the close", async ({ connect, topic }) => {
    const client = connect();
    const producer = await client.createProducer({ topic });
    const consumer = await client.subscribe({ topic, subscription: "s" });
    const reader = await client.createReader({ topic, startMessageId: "earliest" });
    await client.close();
    const closed = { code: "ALREADY_CLOSED" };
    await expect(producer.send({ value: Buffer.from("x") })).rejects.toMatchObject(closed);
    await expect(consumer.receive()).rejects.toMatchObject(closed);
    await expect(reader.readNext()).rejects.toMatchObject(closed);
    await expect(client.createProducer({ topic })).rejects.toMatchObject(closed);
    await expect(client.subscribe({ topic, subscription: "s" })).rejects.toMatchObject(closed);
  });

  behaviour(
    "a consumer can be closed from inside its own loop and a producer from its own send",
    async ({ connect, topic }) => {
      const client = connect();
      const consumer = await client.subscribe({ topic, subscription: "s" });
      const producer = await client.createProducer({ topic });
      await producer.send({ value: Buffer.from("x") }).then(() => producer.close());
      for await (const message of consumer) {
        await consumer.acknowledge(message);
        await consumer.close();
      }
      expect(consumer.state).toBe("closed");
    },
  );

  behaviour("nothing of the client is left at the broker", async ({ connect, topic, admin }) => {
    const client = connect();
    await client.createProducer({ topic });
    await client.subscribe({ topic, subscription: "s" });
    await client.close();
    const stats = (await admin.topicStats(topic)) as {
      readonly publishers: readonly unknown[];
      readonly subscriptions: Readonly<Record<string, { readonly consumers: readonly unknown[] }>>;
    };
    expect(stats.publishers).toEqual([]);
    expect(stats.subscriptions["s"]?.consumers).toEqual([]);
  });
});

onEachBroker("waiting for messages", (behaviour) => {
  behaviour("a receive times out with TIMEOUT and takes nothing from the next one", async ({ connect, topic }) => {
    const client = connect();
    const consumer = await client.subscribe({ topic, subscription: "s" });
    const start = performance.now();
    await expect(consumer.receive({ timeoutMs: 200 })).rejects.toMatchObject({ code: "TIMEOUT" });
    expect(performance.now() - start).toBeGreaterThan(190);
    const producer = await client.createProducer({ topic });
    await sendAll(producer, ["x"]);
    expect(texts(await receive(consumer, 1))).toEqual(["x"]);
  });

  behaviour("an aborted receive rejects with the signal's reason and loses nothing", async ({ connect, topic }) => {
    const client = connect();
    const consumer = await client.subscribe({ topic, subscription: "s" });
    const controller = new AbortController();
    const receiving = consumer.receive({ signal: controller.signal });
    const reason = new Error("changed my mind");
    controller.abort(reason);
    await expect(receiving).rejects.toBe(reason);
    const producer = await client.createProducer({ topic });
    await sendAll(producer, numbered(3));
    expect(texts(await receive(consumer, 3))).toEqual(numbered(3));
  });

  behaviour("several receives are served in the order of the calls", async ({ connect, topic }) => {
    const client = connect();
    const consumer = await client.subscribe({ topic, subscription: "s" });
    const receives = Promise.all(numbered(5).map(() => consumer.receive()));
    const producer = await client.createProducer({ topic });
    await sendAll(producer, numbered(5));
    expect(texts(await receives)).toEqual(numbered(5));
  });
});
