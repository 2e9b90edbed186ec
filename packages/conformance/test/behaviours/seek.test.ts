import { MessageId } from "@pulsewire/client";
import { expect } from "vitest";
import { onEachBroker } from "../../src/suite/on-each-broker.ts";
import { numbered, receive, sendAll, texts } from "../../src/suite/receiving.ts";
import { createBatchProducer, sendBatch } from "../../src/suite/sending.ts";

onEachBroker("seek", (behaviour) => {
  for (const startMessageIdInclusive of [true, false]) {
    const first = startMessageIdInclusive ? 5 : 6;

    behaviour(
      `to an id goes on ${startMessageIdInclusive ? "with" : "behind"} that message`,
      async ({ connect, topic }) => {
        const client = connect();
        const producer = await client.createProducer({ topic, batchingEnabled: false });
        const consumer = await client.subscribe({ topic, subscription: "s", startMessageIdInclusive });
        await sendAll(producer, numbered(10));
        const messages = await receive(consumer, 10);
        await consumer.acknowledge(messages);
        await consumer.seek(messages[5]?.messageId ?? MessageId.earliest);
        expect(texts(await receive(consumer, 10 - first))).toEqual(numbered(10 - first, first));
      },
    );

    behaviour(`inside a batch goes on ${startMessageIdInclusive ? "with" : "behind"} that message`, async (context) => {
      const { topic } = context;
      const client = context.connect();
      const consumer = await client.subscribe({ topic, subscription: "s", startMessageIdInclusive });
      await sendBatch(await createBatchProducer(client, topic), numbered(100));
      const messages = await receive(consumer, 100);
      await consumer.acknowledge(messages);
      for (const index of [50, 7, 98, 0, 50]) {
        await consumer.seek(messages[index]?.messageId ?? MessageId.earliest);
        const next = startMessageIdInclusive ? index : index + 1;
        expect(texts(await receive(consumer, 1))).toEqual(numbered(1, next));
      }
    });
  }

  behaviour("to the earliest message brings everything back", async ({ connect, topic }) => {
    const client = connect();
    const producer = await client.createProducer({ topic });
    const consumer = await client.subscribe({ topic, subscription: "s" });
    await sendAll(producer, numbered(20));
    await consumer.acknowledge(await receive(consumer, 20));
    await consumer.seek(MessageId.earliest);
    expect(texts(await receive(consumer, 20))).toEqual(numbered(20));
  });

  behaviour("to the latest message skips everything that is there", async ({ connect, topic }) => {
    const client = connect();
    const producer = await client.createProducer({ topic });
    const consumer = await client.subscribe({ topic, subscription: "s", subscriptionInitialPosition: "Earliest" });
    await sendAll(producer, numbered(20));
    await receive(consumer, 1);
    await consumer.seek(MessageId.latest);
    await sendAll(producer, ["new"]);
    expect(texts(await receive(consumer, 1))).toEqual(["new"]);
  });

  behaviour("to a time goes on with the first message published then or later", async ({ connect, topic }) => {
    const client = connect();
    const producer = await client.createProducer({ topic, batchingEnabled: false });
    const consumer = await client.subscribe({ topic, subscription: "s" });
    await sendAll(producer, numbered(5));
    const before = await receive(consumer, 5);
    const lastTime = before[4]?.publishTime ?? 0;
    // The next publish time must differ from the last one.
    while (Date.now() <= lastTime + 1) await new Promise(setImmediate);
    await sendAll(producer, numbered(5, 5));
    const after = await receive(consumer, 5);
    await consumer.seek({ timestamp: after[0]?.publishTime ?? 0 });
    expect(texts(await receive(consumer, 5))).toEqual(numbered(5, 5));
  });

  behaviour("resolves each of 30 times in a row while messages keep coming", async ({ connect, topic }) => {
    const client = connect();
    const producer = await client.createProducer({ topic });
    const consumer = await client.subscribe({ topic, subscription: "s", startMessageIdInclusive: true });
    await sendAll(producer, numbered(50));
    const messages = await receive(consumer, 50);
    const traffic = new AbortController();
    const sending = (async () => {
      while (!traffic.signal.aborted) await sendAll(producer, numbered(20, 1000));
    })();
    for (let round = 0; round < 30; round++) {
      const target = messages[(round * 17) % 50];
      if (target === undefined) throw new Error("no target");
      await consumer.seek(target.messageId);
      const [next] = await receive(consumer, 1);
      expect(next?.messageId.equals(target.messageId)).toBe(true);
    }
    traffic.abort();
    await sending;
  });
});
