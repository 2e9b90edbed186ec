import { expect } from "vitest";
import { onEachBroker } from "../../src/suite/on-each-broker.ts";
import { numbered, receive, sendAll, texts } from "../../src/suite/receiving.ts";

const limitBytes = 5 * 1024 * 1024;

onEachBroker("limits", (behaviour) => {
  for (const batchingEnabled of [true, false]) {
    behaviour(
      `around 5 MiB each size is stored or refused, and the producer goes on, batching ${String(batchingEnabled)}`,
      async (context) => {
        const { topic } = context;
        const client = context.connect();
        const producer = await client.createProducer({ topic, batchingEnabled, sendTimeoutMs: 10_000 });
        const consumer = await client.subscribe({ topic, subscription: "s", receiverQueueSize: 1 });
        const stored: number[] = [];
        for (const size of [-200, -120, -100, -80, -64, -48, -32, -16, -1, 0, 1].map((more) => limitBytes + more)) {
          const outcome = await producer.send({ value: Buffer.alloc(size, 1) }).then(
            () => "stored",
            (error: { readonly code: string }) => error.code,
          );
          expect(["stored", "MESSAGE_TOO_BIG"], `size ${String(size)}`).toContain(outcome);
          if (outcome === "stored") stored.push(size);
          await producer.send({ value: Buffer.from("small") });
        }
        expect(stored).toContain(limitBytes - 200);
        expect(stored).not.toContain(limitBytes + 1);
        let sizes = 0;
        for (const message of await receive(consumer, stored.length + 11)) if (message.data.length > 5) sizes += 1;
        expect(sizes).toBe(stored.length);
      },
    );
  }

  behaviour("an oversize message rejects alone, its neighbours in the batch are stored", async ({ connect, topic }) => {
    const client = connect();
    const consumer = await client.subscribe({ topic, subscription: "s" });
    const producer = await client.createProducer({ topic });
    const outcomes = await Promise.allSettled([
      producer.send({ value: Buffer.from("before") }),
      producer.send({ value: Buffer.alloc(6 * 1024 * 1024) }),
      producer.send({ value: Buffer.from("after") }),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(outcomes[1]).toMatchObject({ reason: { code: "MESSAGE_TOO_BIG" } });
    await sendAll(producer, numbered(1000));
    expect(texts(await receive(consumer, 1002))).toEqual(["before", "after", ...numbered(1000)]);
  });

  behaviour("a full pending queue refuses a send, or lets it wait its turn", async ({ connect, topic }) => {
    const client = connect();
    const refusing = await client.createProducer({ topic, maxPendingMessages: 10 });
    const outcomes = await Promise.allSettled(
      numbered(100).map((value) => refusing.send({ value: Buffer.from(value) })),
    );
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused.length).toBeGreaterThan(0);
    for (const outcome of refused) expect(outcome).toMatchObject({ reason: { code: "PRODUCER_QUEUE_IS_FULL" } });
    const waitingTopic = `${topic}-waiting`;
    const waiting = await client.createProducer({
      topic: waitingTopic,
      maxPendingMessages: 10,
      blockIfQueueFull: true,
    });
    const consumer = await client.subscribe({
      topic: waitingTopic,
      subscription: "s",
      subscriptionInitialPosition: "Earliest",
    });
    await sendAll(waiting, numbered(1000));
    expect(texts(await receive(consumer, 1000))).toEqual(numbered(1000));
    expect(waiting.stats.pendingMessages).toBe(0);
  });
});

onEachBroker("sending while disconnected", (behaviour) => {
  behaviour("a send times out although there is no connection", async (context) => {
    const proxy = await context.startProxy();
    const client = context.connect({ serviceUrl: proxy.serviceUrl });
    const producer = await client.createProducer({ topic: context.topic, sendTimeoutMs: 1000 });
    proxy.refuse(true);
    proxy.cutAll();
    const start = performance.now();
    const sends = await Promise.allSettled(numbered(5).map((value) => producer.send({ value: Buffer.from(value) })));
    const elapsedMs = performance.now() - start;
    for (const outcome of sends) expect(outcome).toMatchObject({ status: "rejected", reason: { code: "TIMEOUT" } });
    expect(elapsedMs).toBeGreaterThan(950);
    expect(elapsedMs).toBeLessThan(3000);
    expect(producer.stats.pendingMessages).toBe(0);
    proxy.refuse(false);
    await producer.send({ value: Buffer.from("back") });
  });

  behaviour("a send waits for the connection and is stored once", async (context) => {
    const proxy = await context.startProxy();
    const client = context.connect({ serviceUrl: proxy.serviceUrl });
    const consumer = await context.connect().subscribe({ topic: context.topic, subscription: "s" });
    const producer = await client.createProducer({ topic: context.topic });
    proxy.refuse(true);
    proxy.cutAll();
    const sending = sendAll(producer, numbered(20));
    const flushing = producer.flush();
    proxy.refuse(false);
    await Promise.all([sending, flushing]);
    expect(texts(await receive(consumer, 20))).toEqual(numbered(20));
  });
});
