import { BatchReader, BatchWriter, encodeSendFrame } from "@pulsewire/protocol";
import { kept, type Measurement, measure } from "./measure.ts";
import { asFromSocket, noise } from "./socket-bytes.ts";
import { renderTable } from "./table.ts";

const MESSAGES = 1000;
const send = { producerId: 3, sequenceId: 1234, numMessages: MESSAGES, highestSequenceId: 2233 };
const metadata = {
  producerName: "standalone-0-17",
  sequenceId: 1234,
  publishTime: 1_760_000_000_123,
  numMessagesInBatch: MESSAGES,
  highestSequenceId: 2233,
};

function pack(payloads: readonly Buffer[], capacityBytes: number): BatchWriter {
  const writer = new BatchWriter(capacityBytes);
  let sequenceId = 1234;
  for (const payload of payloads) writer.add({ sequenceId: sequenceId++ }, payload);
  return writer;
}

function packKeyed(payloads: readonly Buffer[], keys: readonly string[], capacityBytes: number): BatchWriter {
  const writer = new BatchWriter(capacityBytes);
  let sequenceId = 1234;
  for (let i = 0; i < payloads.length; i++) {
    writer.add(
      { sequenceId: sequenceId++, partitionKey: keys[i], eventTime: 1_760_000_000_000 + i },
      payloads[i] as Buffer,
    );
  }
  return writer;
}

function unpack(container: Buffer): number {
  const reader = new BatchReader(container, MESSAGES);
  let bytes = 0;
  for (let single = reader.next(); single !== undefined; single = reader.next()) {
    bytes += reader.payloadEnd - reader.payloadStart;
    kept.value = single;
  }
  return bytes;
}

function unpackToViews(container: Buffer): number {
  const reader = new BatchReader(container, MESSAGES);
  let count = 0;
  for (let single = reader.next(); single !== undefined; single = reader.next()) {
    kept.value = reader.payload();
    count++;
  }
  return count;
}

/** Batches of 1000 messages, both ways. The goal is 5 million messages of 100 bytes a second each way. */
export function benchBatches(): string {
  return [100, 1024]
    .map((size) => renderTable(`Batch of ${MESSAGES} x ${size} bytes`, "message", rows(size)))
    .join("\n");
}

function rows(size: number): Measurement[] {
  const payloads = Array.from({ length: MESSAGES }, () => asFromSocket(noise(size)));
  const keys = payloads.map((_, i) => `customer-${i % 97}`);
  const full = MESSAGES * (size + 16);
  const keyed = asFromSocket(packKeyed(payloads, keys, full).bytes());
  const plain = asFromSocket(pack(payloads, full).bytes());
  const work = { operations: MESSAGES, bytes: MESSAGES * size };
  return [
    measure("pack", work, () => pack(payloads, full)),
    measure("pack, growing from 16 KiB", work, () => pack(payloads, 16_384)),
    measure("pack with key and event time", work, () => packKeyed(payloads, keys, full + MESSAGES * 24)),
    measure("pack and frame in place with checksum", work, () =>
      encodeSendFrame(send, metadata, pack(payloads, full).payload()),
    ),
    measure("unpack", work, () => unpack(plain)),
    measure("unpack, a view of each payload", work, () => unpackToViews(plain)),
    measure("unpack with key and event time", work, () => unpack(keyed)),
  ];
}
