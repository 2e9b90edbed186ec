// A program as a user would write it: produces and consumes 1,000 messages, closes all, and must then end by itself.
import { PulsarClient } from "@pulsewire/client";

const [serviceUrl, topic] = process.argv.slice(2);
const client = new PulsarClient({ serviceUrl });
const consumer = await client.subscribe({ topic, subscription: "s" });
const producer = await client.createProducer({ topic });
const sends = Array.from({ length: 1000 }, (_, index) => producer.send({ value: Buffer.from(String(index)) }));
for (let received = 0; received < 1000; received += 1) await consumer.acknowledge(await consumer.receive());
await Promise.all(sends);
await client.close();
const closedAt = performance.now();
const closed = process.getActiveResourcesInfo();
process.on("exit", () => {
  const ended = process.getActiveResourcesInfo();
  process.stdout.write(JSON.stringify({ closed, ended, exitMs: performance.now() - closedAt }));
});
