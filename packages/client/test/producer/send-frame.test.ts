import { type CompressionType, compressionRegistry, decodeEntry } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import { STORE_OVERHEAD_BYTES } from "../../src/producer/send-frame.ts";
import { FakeBroker, outcome, send } from "./producer-fixture.ts";

const MAX = 100_000;

function brokerWithLimit(): FakeBroker {
  const broker = new FakeBroker();
  broker.prepare = (connection) => {
    connection.maxMessageSizeBytes = MAX;
  };
  return broker;
}

/** What the broker stores of a frame: everything after the command. */
function storedBytes(frame: Uint8Array): number {
  return frame.length - 8 - Buffer.from(frame.buffer, frame.byteOffset, frame.length).readUInt32BE(4);
}

describe("the size of an entry", () => {
  // B22
  it("is refused by the client wherever the store might refuse it, and lets later messages through", async () => {
    const broker = brokerWithLimit();
    const producer = await broker.create({ batchingEnabled: false });
    let refused = 0;
    for (let size = MAX - 400; size <= MAX + 1; size += 7) {
      broker.connection.frames.length = 0;
      const sent = send(producer, { value: "x".repeat(size) });
      const [frame] = broker.connection.frames;
      if (frame === undefined) {
        refused += 1;
        expect(await outcome(sent)).toBe("MESSAGE_TOO_BIG");
      } else {
        expect(storedBytes(frame)).toBeLessThanOrEqual(MAX - STORE_OVERHEAD_BYTES);
        broker.connection.receiptAll();
        await sent;
      }
    }
    expect(refused).toBeGreaterThan(20);
    broker.connection.frames.length = 0;
    const small = send(producer, { value: "small" });
    broker.connection.receiptAll();
    await small;
  });

  it("counts the metadata", async () => {
    const broker = brokerWithLimit();
    const producer = await broker.create();
    const sent = send(producer, { value: "", properties: { p: "x".repeat(MAX) } });
    await broker.clock.advance(1);
    expect(await outcome(sent)).toBe("MESSAGE_TOO_BIG");
  });

  it("is that after compression", async () => {
    const broker = brokerWithLimit();
    const producer = await broker.create({ compressionType: "LZ4", batchingEnabled: false });
    const sent = send(producer, { value: "x".repeat(2 * MAX) });
    broker.connection.receiptAll();
    expect(await outcome(sent)).toMatchObject({ entryId: 0n });
  });
});

describe.each<[CompressionType, number]>([
  ["LZ4", 1],
  ["ZLIB", 2],
  ["ZSTD", 3],
  ["SNAPPY", 4],
])("%s", (compressionType, wireNumber) => {
  it("compresses the container of a batch and a lone message", async () => {
    const broker = new FakeBroker();
    const producer = await broker.create({ compressionType });
    const value = "Pulsewire ".repeat(100);
    void send(producer, { value });
    void send(producer, { value });
    await broker.clock.advance(1);
    void send(producer, { value });
    await broker.clock.advance(1);
    const codec = compressionRegistry.get(compressionType);
    const entries = broker.connection.sends().map(({ metadata, payload }) => {
      expect(metadata.compression).toBe(wireNumber);
      const plain = codec?.decompress(payload, metadata.uncompressedSize ?? -1);
      return Buffer.from(plain ?? []).toString();
    });
    expect(entries[0]?.split("Pulsewire ")).toHaveLength(201);
    expect(entries.slice(1)).toEqual([value]);
  });
});

it("passes the compression level on", async () => {
  const sizes = [];
  const value = Array.from({ length: 5000 }, (_, index) => `${(index * 7919) % 1000}`).join();
  for (const compressionLevel of [0, 9]) {
    const broker = new FakeBroker();
    const producer = await broker.create({ compressionType: "ZLIB", compressionLevel, batchingEnabled: false });
    void send(producer, { value });
    sizes.push(broker.connection.frames[0]?.length ?? 0);
  }
  expect(sizes[0]).toBeGreaterThan(value.length);
  expect(sizes[1]).toBeLessThan(value.length / 2);
});

it("gives every frame a checksum over what the broker stores", async () => {
  const broker = new FakeBroker();
  const producer = await broker.create({ batchingEnabled: false });
  void send(producer, { value: "a" });
  const [frame] = broker.connection.frames;
  if (frame === undefined) throw new Error("nothing was written");
  expect(decodeEntry(frame, frame.length - storedBytes(frame), frame.length).checksum).toBeTypeOf("number");
});
