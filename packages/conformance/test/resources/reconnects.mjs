// Cuts the connections of a client 300 times and prints the heap used after rounds of 50, collected.
import { PulsarClient } from "@pulsewire/client";

const [serviceUrl, topic] = process.argv.slice(2);
const client = new PulsarClient({ serviceUrl, backoff: { initialMs: 1, maxMs: 10 } });
const consumer = await client.subscribe({ topic, subscription: "s" });
const producer = await client.createProducer({ topic });
const heaps = [];
for (let round = 1; round <= 300; round += 1) {
  const ready = Promise.all([producer, consumer].map((each) => nextReady(each)));
  process.send("cut");
  await ready;
  await producer.send({ value: Buffer.alloc(1000) });
  await consumer.acknowledge(await consumer.receive());
  if (round % 50 !== 0) continue;
  global.gc();
  await new Promise(setImmediate);
  global.gc();
  heaps.push(process.memoryUsage().heapUsed);
}
await client.close();
process.send({ heaps });
process.disconnect();

function nextReady(each) {
  return new Promise((resolve) => {
    const remove = each.on("stateChange", ({ state }) => {
      if (state !== "ready") return;
      remove();
      resolve();
    });
  });
}
