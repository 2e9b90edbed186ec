import { MessageId } from "@pulsewire/client";
import { afterAll, beforeAll, expect, inject } from "vitest";
import type { BrokerUnderTest } from "../../src/broker/broker-adapter.ts";
import { type CompressionName, Peer, type PeerMessage } from "../../src/interop/peer.ts";
import type { PeerName } from "../../src/interop/prepare-peers.ts";
import { type DeclareBehaviour, onEachBroker } from "../../src/suite/on-each-broker.ts";
import { receive } from "../../src/suite/receiving.ts";

const compressions: readonly CompressionName[] = ["NONE", "LZ4", "ZLIB", "ZSTD", "SNAPPY"];

const eventTime = 1_700_000_000_123;

/** One message of each kind, as far as the peer can tell them. */
function kindsOfMessages(peer: PeerName): readonly PeerMessage[] {
  const base64 = (text: string): string => Buffer.from(text).toString("base64");
  const kinds: readonly PeerMessage[] = [
    { payload: base64("plain") },
    { payload: base64("key"), key: "k-1" },
    { payload: base64("unicode ключ 열쇠 🔑"), key: "ключ-열쇠-🔑", properties: { имя: "значение", 열쇠: "🔑" } },
    { payload: base64("properties"), properties: { a: "1", b: "two words" } },
    { payload: base64("event time"), eventTime },
    // The Go client passes over an empty payload outside of a batch, unless there are properties.
    { payload: "", ...(peer === "go" ? { properties: { kind: "empty" } } : {}) },
    { payload: Buffer.alloc(1024 * 1024, "megabyte ").toString("base64"), key: "big" },
  ];
  // The Go client has no null value.
  return peer === "go" ? kinds : [...kinds, { payload: null, key: "tombstone" }];
}

/** The fields that both sides must agree on, absent ones as undefined. */
function fields(message: PeerMessage): object {
  return {
    payload: message.payload === null ? null : Buffer.from(message.payload, "base64").toString("latin1").slice(0, 100),
    bytes: message.payload?.length ?? 0,
    key: message.key,
    properties: message.properties ?? {},
    eventTime: message.eventTime === 0 ? undefined : message.eventTime,
  };
}

/**
 * A message id as both sides must know it. The Go client writes partition 0 for a topic without partitions, and batch
 * index 0 outside of a batch.
 */
function place(id: MessageId, peer: PeerName): string {
  if (peer !== "go") return id.toString();
  return `${id.ledgerId}:${id.entryId}:${Math.max(id.batchIndex, 0)}`;
}

for (const state of inject("peers")) {
  const reason = state.kind === "missing" ? state.reason : undefined;
  const declare = (behaviour: DeclareBehaviour<BrokerUnderTest>): void => {
    let peer: Peer;
    beforeAll(async () => {
      const [broker] = inject("brokers");
      if (broker === undefined || broker.kind === "missing") throw new Error("there is no broker");
      if (state.kind === "missing") throw new Error(state.reason);
      peer = await Peer.start(state.program, broker.serviceUrl);
    });
    afterAll(async () => {
      await peer?.[Symbol.asyncDispose]();
    });

    for (const compression of compressions) {
      for (const batching of [true, false]) {
        const kind = `${batching ? "batched" : "single"}, ${compression}`;

        behaviour(`it reads what this client wrote, ${kind}`, async ({ connect, topic }) => {
          const messages = kindsOfMessages(state.name);
          const producer = await connect().createProducer({
            topic,
            batchingEnabled: batching,
            batchingMaxBytes: 4 * 1024 * 1024,
            batchingMaxPublishDelayMs: 10_000,
            compressionType: compression,
          });
          const sends = messages.map(({ payload, ...rest }) =>
            producer.send({ value: payload === null ? null : Buffer.from(payload, "base64"), ...rest }),
          );
          await producer.flush();
          const ids = await Promise.all(sends);
          expect(ids.every((id) => id.batchIndex >= 0)).toBe(batching);
          const consumer = await peer.subscribe({ topic, subscription: "s", type: "Exclusive" });
          const received = await consumer.receive(messages.length, 10_000);
          await consumer.close();
          expect(received.map(fields)).toEqual(messages.map(fields));
          expect(received.map(({ producerName }) => producerName)).toEqual(messages.map(() => producer.name));
          const theirs = received.map(({ messageId }) => MessageId.fromBytes(Buffer.from(messageId, "base64")));
          expect(theirs.map((id) => place(id, state.name))).toEqual(ids.map((id) => place(id, state.name)));
        });

        behaviour(`this client reads what it wrote, ${kind}`, async ({ connect, topic }) => {
          const messages = kindsOfMessages(state.name);
          const ids = await peer.produce({ topic, batching, compression, messages });
          const consumer = await connect().subscribe({
            topic,
            subscription: "s",
            subscriptionInitialPosition: "Earliest",
          });
          const received = await receive(consumer, messages.length);
          expect(
            received.map((message) =>
              fields({
                payload: message.isNull ? null : message.data.toString("base64"),
                ...(message.key === undefined ? {} : { key: message.key }),
                properties: message.properties,
                ...(message.eventTime === undefined ? {} : { eventTime: message.eventTime }),
              }),
            ),
          ).toEqual(messages.map(fields));
          const theirs = ids.map((id) => MessageId.fromBytes(id));
          const ours = received.map(({ messageId }) => messageId);
          expect(ours.map((id) => place(id, state.name))).toEqual(theirs.map((id) => place(id, state.name)));
          expect(received.some(({ messageId }) => messageId.batchIndex >= 0)).toBe(batching);
        });
      }
    }

    behaviour("both split a Shared subscription between them", async ({ connect, topic }) => {
      const subscription = { topic, subscription: "s" };
      const theirs = await peer.subscribe({ ...subscription, type: "Shared", receiverQueueSize: 5 });
      const ours = await connect().subscribe({ ...subscription, subscriptionType: "Shared", receiverQueueSize: 5 });
      const producer = await connect().createProducer({ topic, batchingEnabled: false });
      const sent = Array.from({ length: 100 }, (_, index) => `m-${String(index)}`);
      const their = theirs.receive(sent.length, 2000);
      const our: string[] = [];
      const receiving = (async () => {
        for await (const message of ours) {
          our.push(message.data.toString());
          await ours.acknowledge(message);
        }
      })();
      await Promise.all(sent.map((value) => producer.send({ value: Buffer.from(value) })));
      const share = (await their).map(({ payload }) => Buffer.from(payload ?? "", "base64").toString());
      await theirs.close();
      await ours.close();
      await receiving;
      expect([...our, ...share].sort()).toEqual([...sent].sort());
      expect(our.length).toBeGreaterThan(0);
      expect(share.length).toBeGreaterThan(0);
    });
  };
  onEachBroker(`exchange with the ${state.name} client`, declare, reason);
}
