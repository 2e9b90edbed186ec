import { PulsarClient } from "@pulsewire/client";

const MESSAGES = 10_000_000;
const OPEN_SENDS = 1000;
const STEP = 500_000;
const SETTLED_AFTER = 1_000_000;

/**
 * Produces and consumes ten million messages in this process and reports the resident memory every half million. It is
 * flat when the second half needs no more than the first, once everything has been warmed up.
 */
export async function measureMemory(serviceUrl: string): Promise<string> {
  const topic = `persistent://public/default/bench-memory-${Date.now()}`;
  await using client = new PulsarClient({ serviceUrl });
  const consumer = await client.subscribe({ topic, subscription: "memory", subscriptionType: "Shared" });
  const producer = await client.createProducer({ topic, maxPendingMessages: OPEN_SENDS, blockIfQueueFull: true });
  const producing = (async () => {
    const open: Promise<unknown>[] = [];
    for (let sent = 0; sent < MESSAGES; sent++) {
      const value = Buffer.allocUnsafe(100);
      value.writeUInt32BE(sent, 0);
      // A ring of sends: place i is free again when send i - OPEN_SENDS has its receipt.
      const place = sent % OPEN_SENDS;
      await open[place];
      open[place] = producer.send({ value });
    }
    await Promise.all(open);
  })();
  const samples: number[] = [];
  const consuming = (async () => {
    for (let seen = 1; seen <= MESSAGES; seen++) {
      const message = await consumer.receive();
      void consumer.acknowledge(message);
      if (seen % STEP !== 0) continue;
      samples.push(process.memoryUsage.rss() / 1e6);
      console.error(`${seen} messages: ${samples.at(-1)?.toFixed(0)} MB resident`);
    }
  })();
  await Promise.all([producing, consuming]);
  return renderMemory(samples);
}

function renderMemory(samples: readonly number[]): string {
  const settled = samples.slice(SETTLED_AFTER / STEP);
  const half = settled.length >> 1;
  const first = Math.max(...settled.slice(0, half));
  const second = Math.max(...settled.slice(half));
  const rows = samples.map((megabytes, i) => `| ${((i + 1) * STEP) / 1e6} | ${megabytes.toFixed(0)} |`);
  return [
    "### memory: 10 million messages of 100 bytes produced and consumed by one process",
    "",
    `Highest in the first half ${first.toFixed(0)} MB, in the second ${second.toFixed(0)} MB: ${second <= first * 1.1 ? "flat" : "GROWING"}.`,
    "",
    "| million messages | MB resident |",
    "| ---: | ---: |",
    ...rows,
    "",
  ].join("\n");
}
