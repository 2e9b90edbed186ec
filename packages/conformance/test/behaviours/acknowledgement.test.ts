import type { Consumer, PulsarClient } from "@pulsewire/client";
import { MessageId } from "@pulsewire/client";
import { expect } from "vitest";
import { onEachBroker } from "../../src/suite/on-each-broker.ts";
import { numbered, receive, receiveRest, sendAll, texts } from "../../src/suite/receiving.ts";
import { createBatchProducer, sendBatch } from "../../src/suite/sending.ts";

async function subscribe(client: PulsarClient, topic: string, more: object = {}): Promise<Consumer<Uint8Array>> {
  return await client.subscribe({ topic, subscription: "s", subscriptionInitialPosition: "Earliest", ...more });
}

onEachBroker("acknowledgement", (behaviour) => {
  behaviour("what is acknowledged one by one does not come again", async ({ connect, topic }) => {
    const client = connect();
    const producer = await client.createProducer({ topic, batchingEnabled: false });
    await sendAll(producer, numbered(10));
    const first = await subscribe(client, topic);
    const messages = await receive(first, 10);
    for (const index of [0, 3, 9]) await first.acknowledge(messages[index] ?? []);
    await first.close();
    const again = await subscribe(client, topic);
    expect(texts(await receive(again, 7))).toEqual(["m-1", "m-2", "m-4", "m-5", "m-6", "m-7", "m-8"]);
    expect(texts(await receiveRest(again))).toEqual([]);
  });

  behaviour("an acknowledged message of a batch does not come again, its neighbours do", async ({ connect, topic }) => {
    const client = connect();
    await sendBatch(await createBatchProducer(client, topic), numbered(10));
    const first = await subscribe(client, topic);
    const messages = await receive(first, 10);
    await first.acknowledge(messages[0] ?? []);
    await first.acknowledge(messages[5] ?? []);
    await first.close();
    const again = await subscribe(client, topic);
    expect(texts(await receive(again, 8))).toEqual(["m-1", "m-2", "m-3", "m-4", "m-6", "m-7", "m-8", "m-9"]);
    expect(texts(await receiveRest(again))).toEqual([]);
  });

  behaviour(
    "a cumulative acknowledgement in the middle of a batch is kept to the message",
    async ({ connect, topic }) => {
      const client = connect();
      const producer = await createBatchProducer(client, topic);
      await sendBatch(producer, numbered(10));
      await sendBatch(producer, numbered(10, 10));
      const first = await subscribe(client, topic);
      const messages = await receive(first, 20);
      await first.acknowledgeCumulative(messages[14] ?? MessageId.earliest);
      await first.close();
      const again = await subscribe(client, topic);
      expect(texts(await receive(again, 5))).toEqual(numbered(5, 15));
      expect(texts(await receiveRest(again))).toEqual([]);
    },
  );

  behaviour(
    "without batch index acknowledgement a batch comes again as a whole, never less",
    async ({ connect, topic }) => {
      const client = connect();
      await sendBatch(await createBatchProducer(client, topic), numbered(10));
      const first = await subscribe(client, topic, { batchIndexAckEnabled: false });
      const messages = await receive(first, 10);
      await first.acknowledge(messages.slice(0, 9));
      await first.close();
      const again = await subscribe(client, topic, { batchIndexAckEnabled: false });
      const second = await receive(again, 10);
      expect(texts(second)).toEqual(numbered(10));
      await again.acknowledge(second);
      await again.close();
      expect(texts(await receiveRest(await subscribe(client, topic)))).toEqual([]);
    },
  );

  behaviour(
    "close flushes what was acknowledged just before, and nothing that was only fetched",
    async ({ connect, topic }) => {
      const client = connect();
      const producer = await client.createProducer({ topic });
      await sendAll(producer, numbered(100));
      const first = await subscribe(client, topic, { acknowledgmentGroupTimeMs: 60_000 });
      await first.acknowledge(await receive(first, 5));
      await first.close();
      const again = await subscribe(client, topic);
      expect(texts(await receive(again, 95))).toEqual(numbered(95, 5));
    },
  );

  behaviour("a receipt resolves once the broker has taken the acknowledgement", async ({ connect, topic }) => {
    const client = connect();
    const producer = await client.createProducer({ topic });
    await sendAll(producer, numbered(10));
    const first = await subscribe(client, topic, { ackReceiptEnabled: true });
    const messages = await receive(first, 10);
    await Promise.all(messages.map((message) => first.acknowledge(message)));
    await first.close();
    expect(texts(await receiveRest(await subscribe(client, topic)))).toEqual([]);
  });

  behaviour("an id that was stored as bytes can be acknowledged later", async ({ connect, topic }) => {
    const client = connect();
    await sendBatch(await createBatchProducer(client, topic), numbered(4));
    const first = await subscribe(client, topic);
    const stored = (await receive(first, 4)).map(({ messageId }) => messageId.toBytes());
    await first.close();
    const second = await subscribe(client, topic);
    await receive(second, 4);
    await second.acknowledge(stored.slice(0, 2).map((bytes) => MessageId.fromBytes(bytes)));
    await second.close();
    expect(texts(await receive(await subscribe(client, topic), 2))).toEqual(["m-2", "m-3"]);
  });

  behaviour("the subscription has no backlog once everything was acknowledged", async ({ connect, topic, admin }) => {
    const client = connect();
    const consumer = await subscribe(client, topic);
    const producer = await client.createProducer({ topic });
    await sendAll(producer, numbered(1000));
    for (const message of await receive(consumer, 1000)) await consumer.acknowledge(message);
    await consumer.close();
    const stats = (await admin.topicStats(topic)) as {
      readonly subscriptions: Readonly<
        Record<string, { readonly msgBacklog: number; readonly unackedMessages: number }>
      >;
    };
    expect(stats.subscriptions["s"]).toMatchObject({ msgBacklog: 0, unackedMessages: 0 });
  });
});

onEachBroker("redelivery", (behaviour) => {
  const shared = { subscriptionType: "Shared", negativeAckRedeliveryDelayMs: 200 };

  behaviour("a negatively acknowledged message comes again with a higher count", async ({ connect, topic }) => {
    const client = connect();
    const consumer = await subscribe(client, topic, shared);
    const producer = await client.createProducer({ topic, batchingEnabled: false });
    await sendAll(producer, numbered(3));
    const messages = await receive(consumer, 3);
    await consumer.acknowledge([messages[0], messages[2]].filter((message) => message !== undefined));
    for (const count of [1, 2, 3]) {
      const last = count === 1 ? messages[1] : undefined;
      if (last !== undefined) consumer.negativeAcknowledge(last);
      const [again] = await receive(consumer, 1);
      expect(again?.data.toString()).toBe("m-1");
      expect(again?.redeliveryCount).toBe(count);
      if (again !== undefined) consumer.negativeAcknowledge(again);
    }
  });

  behaviour(
    "one negatively acknowledged message of a batch comes again without its acknowledged neighbours",
    async (context) => {
      const { topic } = context;
      const client = context.connect();
      const consumer = await subscribe(client, topic, shared);
      await sendBatch(await createBatchProducer(client, topic), numbered(10));
      const messages = await receive(consumer, 10);
      await consumer.acknowledge(messages.filter((_, index) => index !== 4));
      const [, , , , fifth] = messages;
      if (fifth !== undefined) consumer.negativeAcknowledge(fifth);
      expect(texts(await receive(consumer, 1))).toEqual(["m-4"]);
      expect(texts(await receiveRest(consumer))).toEqual([]);
    },
  );

  for (const subscriptionType of ["Exclusive", "Shared"] as const) {
    behaviour(
      `redeliverUnacknowledgedMessages brings back what is unacknowledged on ${subscriptionType}`,
      async (context) => {
        const { topic } = context;
        const client = context.connect();
        const consumer = await subscribe(client, topic, { subscriptionType });
        const producer = await client.createProducer({ topic, batchingEnabled: false });
        await sendAll(producer, numbered(10));
        const messages = await receive(consumer, 10);
        await consumer.acknowledge(messages.slice(0, 4));
        consumer.redeliverUnacknowledgedMessages();
        expect(texts(await receive(consumer, 6)).sort()).toEqual(numbered(6, 4));
      },
    );
  }
});
