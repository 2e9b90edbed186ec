import { expect } from "vitest";
import { onEachBroker } from "../../src/suite/on-each-broker.ts";
import { numbered, receive, sendAll } from "../../src/suite/receiving.ts";

onEachBroker("refusals", (behaviour) => {
  behaviour("a producer in a missing namespace fails with TOPIC_NOT_FOUND at once", async ({ connect, newTopic }) => {
    const start = performance.now();
    await expect(connect().createProducer({ topic: newTopic("public/missing") })).rejects.toMatchObject({
      code: "TOPIC_NOT_FOUND",
    });
    expect(performance.now() - start).toBeLessThan(5000);
  });

  behaviour("a consumer that may not create its topic fails with TOPIC_NOT_FOUND", async ({ connect, topic }) => {
    const subscribing = connect().subscribe({ topic, subscription: "s", forceTopicCreation: false });
    await expect(subscribing).rejects.toMatchObject({ code: "TOPIC_NOT_FOUND" });
  });

  behaviour("a malformed topic name fails before anything is sent", async ({ connect }) => {
    await expect(connect().createProducer({ topic: "persistent://a/b" })).rejects.toMatchObject({
      code: expect.stringMatching(/^INVALID_/u),
    });
  });

  behaviour("every wrong option is listed at once", async ({ connect, topic }) => {
    const producing = connect().createProducer({ topic, sendTimeoutMs: -1, batchingMaxMessages: 0 });
    await expect(producing).rejects.toMatchObject({
      code: "INVALID_CONFIGURATION",
      message: expect.stringMatching(/(?=.*sendTimeoutMs)(?=.*batchingMaxMessages)/su),
    });
  });

  behaviour("a second producer of the same name fails with PRODUCER_BUSY", async ({ connect, topic }) => {
    await connect().createProducer({ topic, name: "p" });
    await expect(connect().createProducer({ topic, name: "p" })).rejects.toMatchObject({ code: "PRODUCER_BUSY" });
  });

  behaviour("an Exclusive producer keeps others out", async ({ connect, topic }) => {
    const producer = await connect().createProducer({ topic, accessMode: "Exclusive" });
    await expect(connect().createProducer({ topic, accessMode: "Exclusive" })).rejects.toMatchObject({
      code: "PRODUCER_FENCED",
    });
    await expect(connect().createProducer({ topic })).rejects.toMatchObject({ code: "PRODUCER_BUSY" });
    await producer.send({ value: Buffer.from("x") });
  });

  behaviour("WaitForExclusive gets its turn when the holder closes", async ({ connect, topic }) => {
    const holder = await connect().createProducer({ topic, accessMode: "Exclusive" });
    const waiting = connect().createProducer({ topic, accessMode: "WaitForExclusive" });
    await holder.send({ value: Buffer.from("x") });
    await holder.close();
    await (await waiting).send({ value: Buffer.from("y") });
  });

  behaviour(
    "ExclusiveWithFencing pushes the holder out, which learns it as PRODUCER_FENCED",
    async ({ connect, topic }) => {
      const holder = await connect().createProducer({ topic, accessMode: "Exclusive" });
      const taker = await connect().createProducer({ topic, accessMode: "ExclusiveWithFencing" });
      await expect(holder.send({ value: Buffer.from("x") })).rejects.toMatchObject({ code: "PRODUCER_FENCED" });
      expect(holder.state).toBe("failed");
      await taker.send({ value: Buffer.from("y") });
    },
  );

  behaviour(
    "a dead address fails with a typed error within the operation timeout, and twice is no worse",
    async ({ connect, topic }) => {
      const client = connect({ serviceUrl: "pulsar://127.0.0.1:1", operationTimeoutMs: 1000 });
      const failing = client.createProducer({ topic });
      await expect(failing).rejects.toMatchObject({
        code: expect.stringMatching(/^(?:TIMEOUT|CONNECT|NOT_CONNECTED)$/u),
      });
      await client.close();
      await client.close();
    },
  );
});

onEachBroker("a terminated topic", (behaviour) => {
  behaviour("rejects pending and new sends with TOPIC_TERMINATED", async ({ connect, topic, admin }) => {
    const client = connect();
    const producer = await client.createProducer({ topic });
    await sendAll(producer, numbered(3));
    const failed = new Promise<void>((resolve) => {
      producer.on("stateChange", ({ state }) => {
        if (state === "failed") resolve();
      });
    });
    await admin.terminateTopic(topic);
    await expect(producer.send({ value: Buffer.from("x") })).rejects.toMatchObject({ code: "TOPIC_TERMINATED" });
    await failed;
    await expect(producer.send({ value: Buffer.from("y") })).rejects.toMatchObject({ code: "TOPIC_TERMINATED" });
    await expect(client.createProducer({ topic })).rejects.toMatchObject({ code: "TOPIC_TERMINATED" });
  });

  behaviour("tells a consumer that has acknowledged everything", async ({ connect, topic, admin }) => {
    const client = connect();
    const consumer = await client.subscribe({ topic, subscription: "s" });
    const producer = await client.createProducer({ topic });
    await sendAll(producer, numbered(3));
    const ended = new Promise<string>((resolve) => {
      consumer.on("endOfTopic", (event) => resolve(event.topic));
    });
    await admin.terminateTopic(topic);
    await consumer.acknowledge(await receive(consumer, 3));
    expect(await ended).toBe(topic);
    expect(consumer.hasReachedEndOfTopic).toBe(true);
  });
});
