import type { MessageMetadata, SingleMessageMetadata } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import type { ProducerMessage } from "../../src/producer/producer-message.ts";
import { FakeBroker, outcome, send } from "./producer-fixture.ts";

type Fields = Partial<Omit<SingleMessageMetadata, "payloadSize">>;

const FIELDS: readonly [name: string, message: Partial<ProducerMessage<string>>, expected: Fields][] = [
  ["key", { key: "k" }, { partitionKey: "k" }],
  ["empty key", { key: "" }, { partitionKey: "" }],
  ["key as bytes", { key: Uint8Array.of(0, 255) }, { partitionKey: "AP8=", partitionKeyB64Encoded: true }],
  ["orderingKey", { orderingKey: Buffer.from("o") }, { orderingKey: Buffer.from("o") }],
  ["properties", { properties: { a: "1", "": "" } }, { properties: [kv("a", "1"), kv("", "")] }],
  ["no properties", { properties: {} }, { properties: undefined }],
  ["eventTime", { eventTime: 1_700_000_000_123.9 }, { eventTime: 1_700_000_000_123 }],
  ["eventTime as Date", { eventTime: new Date(86_400_000) }, { eventTime: 86_400_000 }],
  ["sequenceId", { sequenceId: 12 }, { sequenceId: 12 }],
  ["sequenceId beyond 2^53", { sequenceId: 2n ** 60n + 1n }, { sequenceId: 2n ** 60n + 1n }],
  ["null value", { value: null }, { nullValue: true }],
  ["empty value", { value: "" }, { nullValue: undefined }],
];

function kv(key: string, value: string): { key: string; value: string } {
  return { key, value };
}

/** The fields of the message under test: alone, or as the second of a batch whose first has none of them. */
async function published(
  message: Partial<ProducerMessage<string>>,
  batchingEnabled: boolean,
): Promise<MessageMetadata | SingleMessageMetadata | undefined> {
  const broker = new FakeBroker();
  const producer = await broker.create({ batchingEnabled });
  if (batchingEnabled) void send(producer, { value: "first" });
  void send(producer, { value: "v", ...message });
  await broker.clock.advance(1);
  const entry = broker.connection.sends().at(-1);
  return batchingEnabled ? entry?.messages[1]?.single : entry?.metadata;
}

// B31
describe.each([
  ["by itself", false],
  ["in a batch", true],
])("a message %s", (_, batchingEnabled) => {
  it.each(FIELDS)("carries its %s", async (_name, message, expected) => {
    const metadata = await published(message, batchingEnabled);
    for (const [field, value] of Object.entries(expected)) {
      const actual: unknown = metadata?.[field as keyof SingleMessageMetadata & keyof MessageMetadata];
      expect(actual instanceof Uint8Array ? Buffer.from(actual) : actual).toEqual(value);
    }
  });
});

describe("a message", () => {
  it("carries the schema version that the broker gave", async () => {
    const broker = new FakeBroker();
    broker.prepare = (connection) => {
      connection.producerAnswer = { schemaVersion: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 3) };
    };
    const producer = await broker.create();
    for (const value of ["a", "b"]) void send(producer, { value });
    void send(producer, { value: "c", deliverAfterMs: 10 });
    await broker.clock.advance(1);
    const versions = broker.connection.sends().map(({ metadata }) => [...(metadata.schemaVersion ?? [])]);
    expect(versions).toEqual([
      [0, 0, 0, 0, 0, 0, 0, 3],
      [0, 0, 0, 0, 0, 0, 0, 3],
    ]);
    expect(broker.connection.producerRequests[0]?.schema?.type).toBe(1);
  });

  it("carries no schema version where the topic has none", async () => {
    const broker = new FakeBroker();
    broker.prepare = (connection) => {
      connection.producerAnswer = { schemaVersion: new Uint8Array() };
    };
    const producer = await broker.create({ batchingEnabled: false });
    void send(producer, { value: "a" });
    expect(broker.connection.sends()[0]?.metadata.schemaVersion).toBeUndefined();
  });

  // B33
  it("without a value differs from one with an empty value, alone and in a batch", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    void send(producer, { value: null });
    void send(producer, { value: "" });
    await broker.clock.advance(1);
    void send(producer, { value: null });
    await broker.clock.advance(1);
    void send(producer, { value: "" });
    await broker.clock.advance(1);
    const [batch, tombstone, empty] = broker.connection.sends();
    expect(batch?.messages.map(({ single }) => single?.nullValue)).toEqual([true, undefined]);
    expect(tombstone?.metadata).toMatchObject({ nullValue: true, uncompressedSize: 0 });
    expect(empty?.metadata).toMatchObject({ nullValue: undefined, uncompressedSize: 0 });
  });

  it("is not compressed when it is empty, since C++ and Go cannot read that", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ compressionType: "ZLIB", batchingEnabled: false });
    void send(producer, { value: "" });
    void send(producer, { value: null });
    void send(producer, { value: "x" });
    const [empty, tombstone, full] = broker.connection.sends();
    expect(empty?.metadata.compression).toBeUndefined();
    expect(tombstone?.metadata.compression).toBeUndefined();
    expect(full?.metadata.compression).toBeDefined();
  });

  it("is delivered not before the time given", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    const now = broker.clock.now();
    void send(producer, { value: "a", deliverAt: now + 5 });
    void send(producer, { value: "b", deliverAt: new Date(now + 6) });
    void send(producer, { value: "c", deliverAfterMs: 7 });
    const times = broker.connection.sends().map(({ metadata }) => metadata.deliverAtTime);
    expect(times).toEqual([now + 5, now + 6, now + 7]);
  });

  it.each<[string, unknown]>([
    ["message", undefined],
    ["message", "text"],
    ["value", {}],
    ["key", { value: "v", key: 5 }],
    ["orderingKey", { value: "v", orderingKey: "text" }],
    ["properties", { value: "v", properties: "text" }],
    ["properties.a", { value: "v", properties: { a: 1 } }],
    ["eventTime", { value: "v", eventTime: Number.NaN }],
    ["eventTime", { value: "v", eventTime: -1 }],
    ["eventTime", { value: "v", eventTime: new Date("never") }],
    ["sequenceId", { value: "v", sequenceId: -1 }],
    ["sequenceId", { value: "v", sequenceId: 1.5 }],
    ["sequenceId", { value: "v", sequenceId: 2 ** 53 }],
    ["sequenceId", { value: "v", sequenceId: 2n ** 63n }],
    ["deliverAt", { value: "v", deliverAt: "soon" }],
    ["deliverAfterMs", { value: "v", deliverAfterMs: -1 }],
    ["deliverAfterMs", { value: "v", deliverAfterMs: 1, deliverAt: 1 }],
    ["replicationClusters", { value: "v", replicationClusters: "west" }],
    ["replicationClusters", { value: "v", replicationClusters: ["west"], disableReplication: true }],
  ])("with a bad %s is refused by name (%#)", async (field, message) => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    const error = await send(producer, message as ProducerMessage<string>).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "INVALID_MESSAGE" });
    expect((error as Error).message).toMatch(new RegExp(`^${field} must be `));
    expect(producer.stats.pendingMessages).toBe(0);
  });

  it("whose value the schema refuses is rejected with the schema's error as cause", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create();
    const error = await send(producer, { value: 5 as unknown as string }).catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "SCHEMA_SERIALIZATION", cause: expect.any(TypeError) });
  });

  it("is copied: the buffer may be reused as soon as send() returns", async () => {
    const broker = new FakeBroker();
    const shared = Buffer.from("before");
    const schema = { info: undefined, encode: (): Uint8Array => shared, decode: (): string => "" };
    for (const batchingEnabled of [true, false]) {
      shared.write("before");
      const producer = await broker.create({ batchingEnabled, schema });
      void send(producer, { value: "x" });
      shared.write("after!");
      await broker.clock.advance(1);
      expect(broker.connection.texts()).toEqual(["before"]);
    }
  });
});

describe("sequence ids", () => {
  it("start after initialSequenceId and go on after the highest one given", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ initialSequenceId: 9, batchingEnabled: false });
    expect(producer.lastSequenceId).toBe(9n);
    for (const sequenceId of [undefined, 20, undefined]) void send(producer, { value: "v", sequenceId });
    expect(broker.connection.sends().map((entry) => entry.sequenceId)).toEqual([10, 20, 21]);
  });

  it("pass 2^53 without losing a bit", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ initialSequenceId: 2n ** 53n - 2n, batchingMaxMessages: 3 });
    const sends = ["a", "b", "c"].map((value) => send(producer, { value }));
    const [entry] = broker.connection.sends();
    expect(entry).toMatchObject({ sequenceId: 2 ** 53 - 1, highestSequenceId: 2n ** 53n + 1n });
    broker.connection.receiptAll();
    await Promise.all(sends);
    expect(producer.lastSequenceId).toBe(2n ** 53n + 1n);
  });

  it("end at 2^63 - 1 with an error, not with a negative id", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ initialSequenceId: 2n ** 63n - 1n });
    expect(await outcome(send(producer, { value: "v" }))).toBe("INVALID_MESSAGE");
    expect(producer.stats).toMatchObject({ pendingMessages: 0, pendingBytes: 0 });
  });
});
