import { expect } from "vitest";
import { onOwnBroker } from "../../src/suite/on-each-broker.ts";
import { numbered, receive, sendAll, texts } from "../../src/suite/receiving.ts";
import { nextState } from "../../src/suite/state-changes.ts";
import { firstArrivals, NumberCollector, SteadyTraffic } from "../../src/suite/steady-traffic.ts";

const patientMs = 180_000;

onOwnBroker("a broker that goes away", {}, (behaviour) => {
  for (const how of ["restarted", "killed and started again"] as const) {
    behaviour(
      `and is ${how} keeps all that was receipted, in order`,
      async ({ broker, connect, topic }) => {
        const client = connect();
        const producer = await client.createProducer({ topic, sendTimeoutMs: 0 });
        const consumer = await client.subscribe({ topic, subscription: "s", receiverQueueSize: 10 });
        const collector = new NumberCollector(consumer);
        const traffic = new SteadyTraffic(producer);
        await traffic.moreReceipts(200);
        const ready = Promise.all([nextState(producer, "ready"), nextState(consumer, "ready")]);
        if (how === "restarted") await broker.stop();
        else await broker.kill();
        await broker.start();
        await ready;
        await traffic.moreReceipts(200);
        const { resolved, rejected } = await traffic.stop();
        expect(rejected).toEqual([]);
        const received = await collector.all(resolved);
        expect(firstArrivals(received)).toEqual(resolved);
        expect(producer.stats.pendingMessages).toBe(0);
      },
      patientMs,
    );
  }

  behaviour(
    "for longer than the send timeout lets sends time out and recovers when it is back",
    async ({ broker, connect, topic }) => {
      const client = connect({ backoff: { maxMs: 1000 } });
      const producer = await client.createProducer({ topic, sendTimeoutMs: 1000 });
      const consumer = await client.subscribe({ topic, subscription: "s" });
      await broker.stop();
      const outcomes = await Promise.allSettled(
        numbered(5).map((value) => producer.send({ value: Buffer.from(value) })),
      );
      for (const outcome of outcomes)
        expect(outcome).toMatchObject({ status: "rejected", reason: { code: "TIMEOUT" } });
      const ready = Promise.all([nextState(producer, "ready"), nextState(consumer, "ready")]);
      await broker.start();
      await ready;
      await sendAll(producer, numbered(100));
      expect(texts(await receive(consumer, 100))).toEqual(numbered(100));
    },
    patientMs,
  );

  behaviour(
    "can be closed against while it is away, which settles everything",
    async ({ broker, connect, topic }) => {
      const client = connect();
      const producer = await client.createProducer({ topic, sendTimeoutMs: 500 });
      const consumer = await client.subscribe({ topic, subscription: "s" });
      const receiving = expect(consumer.receive()).rejects.toMatchObject({ code: "ALREADY_CLOSED" });
      await broker.kill();
      const sends = Promise.allSettled(numbered(10).map((value) => producer.send({ value: Buffer.from(value) })));
      await client.close();
      await receiving;
      expect((await sends).every(({ status }) => status === "rejected")).toBe(true);
      await broker.start();
    },
    patientMs,
  );
});
