import type { MessageId, Producer, PulsarClient } from "@pulsewire/client";

/** A producer whose messages of one call go into one entry: nothing but a full batch or a flush sends it. */
export async function createBatchProducer(client: PulsarClient, topic: string): Promise<Producer<Uint8Array>> {
  return await client.createProducer({ topic, batchingMaxPublishDelayMs: 10_000 });
}

/** Sends texts as one batch; resolves with their ids. */
export async function sendBatch(producer: Producer<Uint8Array>, values: readonly string[]): Promise<MessageId[]> {
  const ids = Promise.all(values.map((value) => producer.send({ value: Buffer.from(value) })));
  await producer.flush();
  return await ids;
}
