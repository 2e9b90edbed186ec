import { type CompressionType, compressionRegistry, encodeBrokerEntryMetadata } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import type { UnreadableMessage } from "../../src/consumer/consumer.ts";
import { Deferred } from "../../src/util/deferred.ts";
import { reactions } from "../util/manual-clock.ts";
import { FakeConsumerBroker, nth, takeAll, values } from "./consumer-fixture.ts";
import { batch, damaged, type Entry, single, texts } from "./entries.ts";

/** The payload part of an entry with broker entry metadata before it. */
function withBrokerEntry(entry: Entry, index: number, keepsChecksum: boolean): Uint8Array {
  const head = encodeBrokerEntryMetadata({ brokerTimestamp: 1_700_000_000_123, index });
  const prefix = Buffer.alloc(6);
  prefix.writeUInt16BE(0x0e02, 0);
  prefix.writeUInt32BE(head.length, 2);
  // Magic and checksum are six bytes.
  return Buffer.concat([prefix, head, entry.frame.subarray(entry.start + (keepsChecksum ? 0 : 6))]);
}

describe("entries", () => {
  it.each(["LZ4", "ZLIB", "SNAPPY", "ZSTD"] as const)(
    "compressed with %s are read, batched and not",
    async (compression) => {
      await compressionRegistry.load(compression);
      const broker = new FakeConsumerBroker();
      const consumer = await broker.subscribe();
      const long = "abc".repeat(1000);
      broker.connection.deliver(single(0, long, { compression }), batch(1, ["b", long, ""], { compression }));
      expect(values(await takeAll(consumer))).toEqual([long, "b", long, ""]);
    },
  );

  it("that wait for their codec keep their order with those behind them", async () => {
    const codec = await compressionRegistry.load("SNAPPY");
    const loaded = new Deferred<typeof codec>();
    compressionRegistry.registerLoader("SNAPPY", () => loaded.promise);
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const compressed = (entry: number, text: string): Entry => compressedBy(codec, entry, text);
    broker.connection.deliver(single(0, "a"), compressed(1, "b"), single(2, "c"), compressed(3, "d"), single(4, "e"));
    expect(consumer.queuedMessages).toBe(1);
    loaded.resolve(codec);
    await reactions();
    expect(values(await takeAll(consumer))).toEqual(["a", "b", "c", "d", "e"]);
    expect(compressionRegistry.get("SNAPPY")).toBe(codec);
  });

  it("that wait for their codec are dropped when the connection is lost", async () => {
    const codec = await compressionRegistry.load("SNAPPY");
    const loaded = new Deferred<typeof codec>();
    compressionRegistry.registerLoader("SNAPPY", () => loaded.promise);
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.deliver(compressedBy(codec, 1, "b"), single(2, "c"));
    broker.connection.close();
    await broker.reconnect();
    loaded.resolve(codec);
    await reactions();
    expect(consumer.queuedMessages).toBe(0);
    broker.connection.deliver(single(2, "c"));
    expect(values(await takeAll(consumer))).toEqual(["c"]);
  });

  // B46
  it.each([true, false])("with broker entry metadata are read, checksum %s", async (keepsChecksum) => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const one = single(0, "a");
    const many = batch(1, ["b", "c"]);
    broker.connection.deliverBytes(one.message, withBrokerEntry(one, 0, keepsChecksum), 1);
    broker.connection.deliverBytes(many.message, withBrokerEntry(many, 2, keepsChecksum), 2);
    const messages = await takeAll(consumer);
    expect(values(messages)).toEqual(["a", "b", "c"]);
    expect(messages.map((message) => message.index)).toEqual([0n, 1n, 2n]);
    expect(messages[2]?.brokerPublishTime).toBe(1_700_000_000_123);
  });

  it("with an ack_set give only what is not acknowledged", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.deliver(batch(0, texts("a", 4), { ackSet: [0b1010], charged: 2 }));
    const messages = await takeAll(consumer);
    expect(values(messages)).toEqual(["a1", "a3"]);
    await consumer.acknowledge(messages);
    await broker.clock.advance(100);
    expect(broker.connection.acked).toEqual(["1:0"]);
  });

  it("give nothing for a message that was compacted away, and acknowledge it", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.deliver(batch(0, ["a", "gone", "c"], { singles: [{}, { compactedOut: true }, {}] }));
    const messages = await takeAll(consumer);
    expect(values(messages)).toEqual(["a", "c"]);
    await consumer.acknowledge(messages);
    await broker.clock.advance(100);
    expect(broker.connection.acked).toEqual(["1:0"]);
  });

  it("with a marker are acknowledged and not handed out", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.deliver(single(0, "commit", { metadata: { markerType: 21 } }));
    await broker.clock.advance(100);
    expect(consumer.queuedMessages).toBe(0);
    expect(broker.connection.acked).toEqual(["1:0"]);
  });
});

describe("unreadable entries", () => {
  const cases: readonly (readonly [string, Entry, string, number | undefined])[] = [
    ["a false checksum", damaged(single(0, "x")), "CHECKSUM", 2],
    ["a batch that is none", single(0, "x", { metadata: { numMessagesInBatch: 3 } }), "INVALID_MESSAGE", 3],
    [
      "damaged compression",
      single(0, "\u0005\u0009\u0001", { metadata: { compression: 4, uncompressedSize: 5 } }),
      "INVALID_MESSAGE",
      1,
    ],
    [
      "a size beyond the maximum",
      single(0, "x", { metadata: { compression: 1, uncompressedSize: 2 ** 30 } }),
      "INVALID_MESSAGE",
      0,
    ],
    ["an unknown compression", single(0, "x", { metadata: { compression: 9 } }), "INVALID_MESSAGE", undefined],
    [
      "encryption without a key",
      single(0, "x", { metadata: { encryptionKeys: [{ key: "k", value: new Uint8Array(1) }] } }),
      "CRYPTO",
      undefined,
    ],
  ];
  it.each(cases)("with %s are reported and stop nothing", async (_, entry, code, validationError) => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const events: UnreadableMessage[] = [];
    consumer.on("unreadableMessage", (event) => events.push(event));
    broker.connection.deliver(entry, single(1, "next"));
    await reactions();
    expect(values(await takeAll(consumer))).toEqual(["next"]);
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({ error: { code }, isAcknowledged: validationError !== undefined });
    expect(events[0]?.messageId.toString()).toBe("1:0:-1");
    expect(broker.connection.acks.map((ack) => ack.validationError)).toEqual(
      validationError === undefined ? [] : [validationError],
    );
  });

  it("of arbitrary bytes never throw and keep the permits", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe({ receiverQueueSize: 2 });
    let seed = 1;
    const random = (): number => {
      seed = (seed * 1103515245 + 12345) % 2147483648;
      return seed;
    };
    for (let round = 0; round < 2000; round++) {
      const bytes = Buffer.from(Array.from({ length: random() % 60 }, () => random() % 256));
      const { message } = single(round, "");
      broker.connection.deliverBytes(message, bytes, 1);
    }
    expect(consumer.queuedMessages).toBe(0);
    expect(broker.connection.permits).toBe(2);
  });
});

describe("messages", () => {
  it("have the fields of their batch entry or of their entry", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const fields = {
      partitionKey: "k",
      orderingKey: Buffer.from("o"),
      properties: [
        { key: "__proto__", value: "p" },
        { key: "a", value: "1" },
      ],
      eventTime: 42,
      sequenceId: 9007199254740993n,
    };
    const metadata = { schemaVersion: Buffer.from([0, 1]), replicatedFrom: "east", producerName: "me" };
    broker.connection.deliver(
      single(0, "a", { metadata: { ...fields, ...metadata }, redeliveryCount: 2 }),
      batch(1, ["x", "b"], { singles: [{}, fields], metadata, redeliveryCount: 2 }),
    );
    const [one, , two] = await takeAll(consumer);
    for (const message of [one, two]) {
      expect(message).toMatchObject({
        key: "k",
        hasKey: true,
        eventTime: 42,
        sequenceId: 9007199254740993n,
        producerName: "me",
        replicatedFrom: "east",
        redeliveryCount: 2,
        publishTime: 1_700_000_000_000,
        isNull: false,
        index: undefined,
        brokerPublishTime: undefined,
        topic: consumer.topic,
      });
      expect(message?.keyBytes?.toString()).toBe("k");
      expect(message?.orderingKey?.toString()).toBe("o");
      expect(message?.schemaVersion).toEqual(Buffer.from([0, 1]));
      expect(Object.entries(message?.properties ?? {})).toEqual([
        ["__proto__", "p"],
        ["a", "1"],
      ]);
    }
    expect(one?.messageId.toString()).toBe("1:0:-1");
    expect(two?.messageId.toString()).toBe("1:1:-1:1");
    expect(two?.messageId.batchSize).toBe(2);
  });

  it("tell a key of bytes, an empty key and no key apart", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    const binary = Buffer.from([255, 0]);
    broker.connection.deliver(
      single(0, "a", { metadata: { partitionKey: binary.toString("base64"), partitionKeyB64Encoded: true } }),
      single(1, "b", { metadata: { partitionKey: "" } }),
      single(2, "c"),
    );
    const [bytes, empty, none] = await takeAll(consumer);
    expect(bytes?.keyBytes).toEqual(binary);
    expect([empty?.hasKey, empty?.key]).toEqual([true, ""]);
    expect([none?.hasKey, none?.key, none?.keyBytes]).toEqual([false, undefined, undefined]);
  });

  it("have null for a tombstone and an empty value for an empty payload", async () => {
    const broker = new FakeConsumerBroker();
    const consumer = await broker.subscribe();
    broker.connection.deliver(single(0, "", { metadata: { nullValue: true } }), single(1, ""));
    const [tombstone, empty] = await takeAll(consumer);
    expect([tombstone?.isNull, tombstone?.value, tombstone?.data.length]).toEqual([true, null, 0]);
    expect([empty?.isNull, empty?.value]).toEqual([false, ""]);
  });

  it("are decoded when asked for, once, and the schema's error reaches the asker", async () => {
    const broker = new FakeConsumerBroker();
    let calls = 0;
    const schema = {
      info: undefined,
      encode: (value: string) => Buffer.from(value),
      decode: (data: Uint8Array) => {
        calls += 1;
        if (data.length === 0) throw new RangeError("empty");
        return `value of ${data.length}`;
      },
    };
    const consumer = await broker.subscribe({ schema });
    broker.connection.deliver(single(0, "abc"), single(1, ""));
    const messages = await takeAll(consumer);
    expect(calls).toBe(0);
    const good = nth(messages, 0);
    expect([good.value, good.value, calls]).toEqual(["value of 3", "value of 3", 1]);
    const bad = nth(messages, 1);
    expect(() => bad.value).toThrowError(expect.objectContaining({ code: "SCHEMA_SERIALIZATION" }));
    await expect(consumer.acknowledge(bad)).resolves.toBeUndefined();
  });
});

function compressedBy(
  codec: { readonly type: CompressionType; compress(input: Uint8Array): Uint8Array },
  entry: number,
  text: string,
): Entry {
  const metadata = { compression: 4, uncompressedSize: text.length };
  return single(entry, Buffer.from(codec.compress(Buffer.from(text))).toString("latin1"), { metadata });
}
