import { expect } from "vitest";
import { onEachBroker } from "../../src/suite/on-each-broker.ts";
import { numbered, receive, sendAll, texts } from "../../src/suite/receiving.ts";
import { createBatchProducer, sendBatch } from "../../src/suite/sending.ts";

onEachBroker("producing and consuming", (behaviour) => {
  behaviour("delivers a message with its id to a consumer", async ({ connect, topic }) => {
    const client = connect();
    const consumer = await client.subscribe({ topic, subscription: "s" });
    const producer = await client.createProducer({ topic });
    const id = await producer.send({ value: Buffer.from("hello") });
    const [message] = await receive(consumer, 1);
    expect(message?.data.toString()).toBe("hello");
    expect(message?.messageId.equals(id)).toBe(true);
    expect(message?.topic).toBe(topic);
    expect(message?.producerName).toBe(producer.name);
    expect(message?.redeliveryCount).toBe(0);
  });

  behaviour("keeps the order of 5,000 sends from one place", async ({ connect, topic }) => {
    const client = connect();
    const consumer = await client.subscribe({ topic, subscription: "s" });
    const producer = await client.createProducer({ topic });
    const sent = numbered(5000);
    await sendAll(producer, sent);
    expect(texts(await receive(consumer, sent.length))).toEqual(sent);
  });

  behaviour("puts the sends of a moment into one entry", async ({ connect, topic }) => {
    const client = connect();
    const producer = await createBatchProducer(client, topic);
    const ids = await sendBatch(producer, numbered(10));
    expect(new Set(ids.map((id) => id.entryId)).size).toBe(1);
    expect(ids.map((id) => id.batchIndex)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  behaviour("gives each message its own entry without batching", async ({ connect, topic }) => {
    const client = connect();
    const producer = await client.createProducer({ topic, batchingEnabled: false });
    const ids = await Promise.all(numbered(10).map((value) => producer.send({ value: Buffer.from(value) })));
    expect(new Set(ids.map((id) => id.entryId)).size).toBe(10);
    expect(ids.every((id) => id.batchIndex === -1)).toBe(true);
  });

  behaviour("flush settles every send before it", async ({ connect, topic }) => {
    const client = connect();
    const producer = await createBatchProducer(client, topic);
    let settled = 0;
    const sends = numbered(50).map((value) => producer.send({ value: Buffer.from(value) }).then(() => settled++));
    await producer.flush();
    expect(settled).toBe(50);
    await Promise.all(sends);
  });

  for (const batchingEnabled of [true, false]) {
    behaviour(`carries key, properties and event time, batching ${String(batchingEnabled)}`, async (context) => {
      const { topic } = context;
      const client = context.connect();
      const consumer = await client.subscribe({ topic, subscription: "s" });
      const producer = await client.createProducer({ topic, batchingEnabled });
      const properties = { "a b": "1", ключ: "значение", empty: "", __proto__x: "y" };
      await Promise.all([
        producer.send({ value: Buffer.from("1"), key: "k-ü", properties, eventTime: 1_700_000_000_123 }),
        producer.send({ value: Buffer.from("2"), key: Buffer.of(0, 255, 10), orderingKey: Buffer.from("o") }),
        producer.send({ value: Buffer.from("3") }),
      ]);
      const [first, second, third] = await receive(consumer, 3);
      expect(first?.key).toBe("k-ü");
      expect(first?.properties).toEqual(properties);
      expect(first?.eventTime).toBe(1_700_000_000_123);
      expect(second?.keyBytes).toEqual(Buffer.of(0, 255, 10));
      expect(second?.orderingKey).toEqual(Buffer.from("o"));
      expect(second?.properties).toEqual({});
      expect(third?.hasKey).toBe(false);
      expect(third?.eventTime).toBeUndefined();
    });

    behaviour(`tells a null value from an empty one, batching ${String(batchingEnabled)}`, async (context) => {
      const { topic } = context;
      const client = context.connect();
      const consumer = await client.subscribe({ topic, subscription: "s" });
      const producer = await client.createProducer({ topic, batchingEnabled });
      await Promise.all([
        producer.send({ value: null, key: "k" }),
        producer.send({ value: Buffer.alloc(0), key: "k" }),
        producer.send({ value: Buffer.from("x"), key: "k" }),
      ]);
      const messages = await receive(consumer, 3);
      expect(messages.map(({ isNull }) => isNull)).toEqual([true, false, false]);
      expect(messages.map(({ data }) => data.length)).toEqual([0, 0, 1]);
      expect(messages[0]?.value).toBeNull();
    });
  }

  for (const compressionType of ["NONE", "LZ4", "ZLIB", "ZSTD", "SNAPPY"] as const) {
    behaviour(`delivers what was compressed with ${compressionType}, batched and alone`, async ({ connect, topic }) => {
      const client = connect();
      const consumer = await client.subscribe({ topic, subscription: "s" });
      const batched = await client.createProducer({ topic, compressionType });
      const single = await client.createProducer({ topic, compressionType, batchingEnabled: false });
      const big = "0123456789".repeat(100_000);
      await sendAll(batched, numbered(100));
      await sendAll(single, ["", "x", big]);
      const received = texts(await receive(consumer, 103));
      expect(received.slice(0, 100)).toEqual(numbered(100));
      expect(received.slice(100, 102)).toEqual(["", "x"]);
      expect(received[102] === big).toBe(true);
    });
  }

  behaviour("reads one topic by several subscriptions independently", async ({ connect, topic }) => {
    const client = connect();
    const one = await client.subscribe({ topic, subscription: "one" });
    const two = await client.subscribe({ topic, subscription: "two" });
    const producer = await client.createProducer({ topic });
    await sendAll(producer, numbered(20));
    expect(texts(await receive(one, 20))).toEqual(numbered(20));
    expect(texts(await receive(two, 20))).toEqual(numbered(20));
  });

  for (const position of ["Earliest", "Latest"] as const) {
    behaviour(`starts a new subscription at ${position}`, async ({ connect, topic }) => {
      const client = connect();
      const producer = await client.createProducer({ topic });
      await sendAll(producer, numbered(5));
      const consumer = await client.subscribe({ topic, subscription: "s", subscriptionInitialPosition: position });
      await sendAll(producer, ["new"]);
      const expected = position === "Earliest" ? [...numbered(5), "new"] : ["new"];
      expect(texts(await receive(consumer, expected.length))).toEqual(expected);
    });
  }

  behaviour("delivers a backlog larger than the receiver queue, in batches of 500", async ({ connect, topic }) => {
    const client = connect();
    const producer = await client.createProducer({ topic, batchingMaxMessages: 500 });
    await sendAll(producer, numbered(10_000));
    const consumer = await client.subscribe({
      topic,
      subscription: "s",
      subscriptionInitialPosition: "Earliest",
      receiverQueueSize: 10,
    });
    expect(texts(await receive(consumer, 10_000))).toEqual(numbered(10_000));
  });

  behaviour("iterates over messages until the consumer is closed", async ({ connect, topic }) => {
    const client = connect();
    const consumer = await client.subscribe({ topic, subscription: "s" });
    const producer = await client.createProducer({ topic });
    await sendAll(producer, numbered(10));
    const seen: string[] = [];
    for await (const message of consumer) {
      seen.push(message.data.toString());
      await consumer.acknowledge(message);
      if (seen.length === 10) await consumer.close();
    }
    expect(seen).toEqual(numbered(10));
  });

  behaviour("delays a message for a Shared subscription and not its neighbours", async ({ connect, topic }) => {
    const client = connect();
    const consumer = await client.subscribe({ topic, subscription: "s", subscriptionType: "Shared" });
    const producer = await client.createProducer({ topic });
    const start = performance.now();
    await Promise.all([
      producer.send({ value: Buffer.from("a") }),
      producer.send({ value: Buffer.from("b"), deliverAfterMs: 2000 }),
      producer.send({ value: Buffer.from("c") }),
    ]);
    expect(texts(await receive(consumer, 2))).toEqual(["a", "c"]);
    expect(texts(await receive(consumer, 1))).toEqual(["b"]);
    expect(performance.now() - start).toBeGreaterThan(1500);
  });
});
