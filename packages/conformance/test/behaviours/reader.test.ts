import { MessageId, type Producer } from "@pulsewire/client";
import { expect } from "vitest";
import { onEachBroker } from "../../src/suite/on-each-broker.ts";
import { numbered, read, readAvailable, sendAll, texts } from "../../src/suite/receiving.ts";
import { createBatchProducer, sendBatch } from "../../src/suite/sending.ts";

/** What a topic holds before the reader comes; a null stands for a tombstone. */
const contents: Readonly<Record<string, readonly (string | null)[]>> = {
  "an empty topic": [],
  "one message": ["m-0"],
  "a batch": numbered(5),
  "a tombstone last": ["m-0", "m-1", null],
};

async function fill(producer: Producer<Uint8Array>, values: readonly (string | null)[]): Promise<MessageId[]> {
  const sent = Promise.all(
    values.map((value) => producer.send({ key: "k", value: value === null ? null : Buffer.from(value) })),
  );
  await producer.flush();
  return await sent;
}

onEachBroker("reader", (behaviour) => {
  for (const [name, values] of Object.entries(contents)) {
    const expected = values.map((value) => value ?? "");
    for (const startMessageIdInclusive of [true, false]) {
      const kind = startMessageIdInclusive ? "inclusive" : "exclusive";

      behaviour(`from earliest, ${kind}, reads all of ${name} and then has no more`, async ({ connect, topic }) => {
        const client = connect();
        await fill(await createBatchProducer(client, topic), values);
        const reader = await client.createReader({ topic, startMessageId: "earliest", startMessageIdInclusive });
        expect(texts(await readAvailable(reader))).toEqual(expected);
      });

      behaviour(
        `from latest, ${kind}, reads what that means on ${name} and then has no more`,
        async ({ connect, topic }) => {
          const client = connect();
          const producer = await createBatchProducer(client, topic);
          await fill(producer, values);
          const reader = await client.createReader({ topic, startMessageId: "latest", startMessageIdInclusive });
          expect(texts(await readAvailable(reader))).toEqual(startMessageIdInclusive ? expected.slice(-1) : []);
          await fill(producer, ["new"]);
          expect(texts(await readAvailable(reader))).toEqual(["new"]);
        },
      );

      if (values.length === 0) continue;
      behaviour(`from an id, ${kind}, reads the rest of ${name} and then has no more`, async ({ connect, topic }) => {
        const client = connect();
        const ids = await fill(await createBatchProducer(client, topic), values);
        for (const [index, startMessageId] of ids.entries()) {
          const reader = await client.createReader({ topic, startMessageId, startMessageIdInclusive });
          expect(texts(await readAvailable(reader))).toEqual(
            expected.slice(startMessageIdInclusive ? index : index + 1),
          );
          await reader.close();
        }
      });
    }
  }

  behaviour("leaves no subscription behind", async ({ connect, topic, admin }) => {
    const client = connect();
    const producer = await client.createProducer({ topic });
    await sendAll(producer, numbered(3));
    const reader = await client.createReader({ topic, startMessageId: "earliest" });
    await read(reader, 3);
    expect(await admin.subscriptions(topic)).toHaveLength(1);
    await reader.close();
    expect(await admin.subscriptions(topic)).toEqual([]);
  });

  behaviour("iterates and waits at the end of the topic for more", async ({ connect, topic }) => {
    const client = connect();
    const producer = await client.createProducer({ topic });
    await sendAll(producer, numbered(5));
    const reader = await client.createReader({ topic, startMessageId: "earliest" });
    const seen: string[] = [];
    for await (const message of reader) {
      seen.push(message.data.toString());
      if (seen.length === 5) await sendAll(producer, ["later"]);
      if (seen.length === 6) break;
    }
    expect(seen).toEqual([...numbered(5), "later"]);
  });

  behaviour("reads again from where a seek goes", async ({ connect, topic }) => {
    const client = connect();
    await sendBatch(await createBatchProducer(client, topic), numbered(10));
    const reader = await client.createReader({ topic, startMessageId: "earliest" });
    const messages = await read(reader, 10);
    await reader.seek(messages[6]?.messageId ?? MessageId.earliest);
    expect(texts(await readAvailable(reader))).toEqual(numbered(3, 7));
    await reader.seek(MessageId.earliest);
    expect(texts(await readAvailable(reader))).toEqual(numbered(10));
  });

  behaviour(
    "goes on behind the last message it handed out after the topic was unloaded",
    async ({ connect, topic, admin }) => {
      const client = connect();
      await sendBatch(await createBatchProducer(client, topic), numbered(10));
      const reader = await client.createReader({ topic, startMessageId: "earliest" });
      expect(texts(await read(reader, 4))).toEqual(numbered(4));
      const reconnected = new Promise<void>((resolve) => {
        reader.on("stateChange", ({ state }) => {
          if (state === "ready") resolve();
        });
      });
      await admin.unloadTopic(topic);
      await reconnected;
      expect(texts(await readAvailable(reader))).toEqual(numbered(6, 4));
    },
  );

  behaviour("begins a while back in time when asked to", async ({ connect, topic }) => {
    const client = connect();
    const producer = await client.createProducer({ topic });
    await sendAll(producer, numbered(5));
    const reader = await client.createReader({ topic, startMessageFromRollbackDurationMs: 3_600_000 });
    expect(texts(await read(reader, 5))).toEqual(numbered(5));
  });

  behaviour("knows the id of the last message", async ({ connect, topic }) => {
    const client = connect();
    const producer = await createBatchProducer(client, topic);
    const reader = await client.createReader({ topic, startMessageId: "earliest" });
    expect((await reader.getLastMessageId()).entryId).toBe(-1n);
    const ids = await sendBatch(producer, numbered(3));
    const last = await reader.getLastMessageId();
    expect(last.equals(ids[2] ?? MessageId.earliest)).toBe(true);
  });
});
