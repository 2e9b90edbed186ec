import { readFileSync } from "node:fs";
import { PulsarClient } from "@pulsewire/client";
import type { Job, Outcome } from "./job.ts";
import { Limit } from "./limit.ts";

// One measurement of our client: reads a job as JSON from its argument and prints the outcome as JSON.
const job = JSON.parse(process.argv[2] ?? "{}") as Job;
const client = new PulsarClient({ serviceUrl: job.serviceUrl });
const outcome = job.kind === "produce" ? await produce() : await consume();
console.log(JSON.stringify(outcome));
await client.close();

async function produce(): Promise<Outcome> {
  const producer = await client.createProducer({
    topic: job.topic,
    batchingEnabled: job.batched,
    maxPendingMessages: job.openSends,
    blockIfQueueFull: true,
  });
  const payload = Buffer.alloc(job.sizeBytes);
  for (let i = 0; i < payload.length; i++) payload[i] = i * 31;

  // Sends until the limit; whenever all places are taken it waits for the next receipt.
  const run = async (limit: Limit, latencies: number[] | undefined): Promise<number> => {
    let open = 0;
    let sent = 0;
    let wake: (() => void) | undefined;
    let failure: unknown;
    const send = (): void => {
      const startedMs = latencies === undefined ? 0 : performance.now();
      open++;
      sent++;
      producer.send({ value: payload }).then(
        () => {
          open--;
          latencies?.push(performance.now() - startedMs);
          wake?.();
        },
        (error: unknown) => {
          failure = error;
          wake?.();
        },
      );
    };
    const receipt = (): Promise<void> =>
      new Promise((resolve) => {
        wake = resolve;
      });
    while (!limit.isReached(sent)) {
      if (open >= job.openSends) await receipt();
      else send();
      if (failure !== undefined) throw failure;
    }
    await producer.flush();
    while (open > 0) await receipt();
    return sent;
  };

  await run(new Limit(job.warmUpMessages, job.warmUpSeconds), undefined);
  const latencies: number[] = [];
  const measured = await timed(() => run(new Limit(job.messages, job.seconds), latencies));
  const sorted = Float64Array.from(latencies).sort();
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return { ...measured, p50Ms: at(0.5), p99Ms: at(0.99) };
}

async function consume(): Promise<Outcome> {
  const consumer = await client.subscribe({
    topic: job.topic,
    subscription: job.subscription,
    subscriptionType: "Exclusive",
    subscriptionInitialPosition: "Earliest",
  });
  const receive = async (limit: Limit): Promise<number> => {
    let seen = 0;
    while (!limit.isReached(seen)) {
      const message = await consumer.receive();
      void consumer.acknowledge(message);
      seen++;
    }
    return seen;
  };
  await receive(new Limit(job.warmUpMessages, job.warmUpSeconds));
  return { ...(await timed(() => receive(new Limit(job.messages, job.seconds)))), p50Ms: 0, p99Ms: 0 };
}

async function timed(run: () => Promise<number>): Promise<Omit<Outcome, "p50Ms" | "p99Ms">> {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  const messages = await run();
  const { user, system } = process.cpuUsage(before);
  return {
    messages,
    seconds: (performance.now() - startedMs) / 1000,
    cpuSeconds: (user + system) / 1e6,
    peakRssMb: peakRssMb(),
  };
}

/** As the other programs read it. */
function peakRssMb(): number {
  try {
    const [, kib] = /VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return Number(kib ?? 0) / 1024;
  } catch {
    return process.resourceUsage().maxRSS / 1024;
  }
}
