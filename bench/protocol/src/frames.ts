import {
  crc32c,
  decodeCommand,
  decodeEntry,
  encodeCommand,
  encodeMessageFrame,
  encodeSendFrame,
  FrameDecoder,
  type FrameView,
  readPayloadPart,
} from "@pulsewire/protocol";
import { kept, type Measurement, measure } from "./measure.ts";
import { noise } from "./socket-bytes.ts";
import { renderTable } from "./table.ts";

const PAYLOAD_BYTES = 65_536;
const FRAMES = 16;

const send = { producerId: 3, sequenceId: 1234, numMessages: 1 };
const metadata = { producerName: "standalone-0-17", sequenceId: 1234, publishTime: 1_760_000_000_123 };

/** A stream of MESSAGE frames, beginning at an odd offset of its memory. */
function messageStream(payloadBytes: number, frames: number): Buffer {
  const sent = encodeSendFrame(send, metadata, noise(payloadBytes));
  const entry = sent.subarray(8 + sent.readUInt32BE(4));
  const message = { consumerId: 5, messageId: { ledgerId: 17, entryId: 4711, partition: -1 }, redeliveryCount: 0 };
  return repeated(encodeMessageFrame(message, entry), frames);
}

function receiptStream(frames: number): Buffer {
  return repeated(
    encodeCommand("SEND_RECEIPT", { producerId: 3, sequenceId: 1234, messageId: { ledgerId: 17, entryId: 4711 } }),
    frames,
  );
}

function repeated(frame: Buffer, times: number): Buffer {
  const memory = Buffer.alloc(frame.length * times + 64);
  for (let i = 0; i < times; i++) memory.set(frame, 13 + i * frame.length);
  return memory.subarray(13, 13 + frame.length * times);
}

function chunked(stream: Buffer, chunkBytes: number): Buffer[] {
  return Array.from({ length: Math.ceil(stream.length / chunkBytes) }, (_, i) =>
    stream.subarray(i * chunkBytes, (i + 1) * chunkBytes),
  );
}

/** What a connection does with a frame: command, and the entry behind it with its checksum verified. */
function readFrame({ buffer, commandStart, commandEnd, end }: FrameView): void {
  kept.value = decodeCommand(buffer, commandStart, commandEnd);
  if (commandEnd < end) kept.value = decodeEntry(buffer, commandEnd, end);
}

/** Runs the bytes under the checksum of each frame through the checksum alone. */
function checksumOnly(stream: Buffer): () => void {
  const ranges: [number, number][] = [];
  new FrameDecoder().decode(stream, ({ buffer, commandEnd, end }) => {
    ranges.push([readPayloadPart(buffer, commandEnd, end).checksumStart, end]);
  });
  return () => {
    for (const [start, end] of ranges) kept.value = crc32c(stream, start, end);
  };
}

function decoding(stream: Buffer, chunkBytes: number, reusesChunks: boolean): () => void {
  const chunks = chunked(stream, chunkBytes);
  const decoder = new FrameDecoder({ reusesChunks });
  return () => {
    for (const chunk of chunks) decoder.decode(chunk, readFrame);
  };
}

/** Frames in and out. The first table carries the goal: decoding within 1.5 times of the checksum alone. */
export function benchFrames(): string {
  const large = messageStream(PAYLOAD_BYTES, FRAMES);
  const largeWork = { operations: FRAMES, bytes: large.length };
  const crc = measure("CRC32-C alone", largeWork, checksumOnly(large));
  const decoded: Measurement[] = [
    measure("chunks of their own, 256 KiB: views", largeWork, decoding(large, 262_144, false)),
    measure("reused chunks, 256 KiB: one copy", largeWork, decoding(large, 262_144, true)),
    measure("reused chunks, 64 KiB: every frame split", largeWork, decoding(large, 65_536, true)),
    measure("reused chunks, 16 KiB", largeWork, decoding(large, 16_384, true)),
  ];
  const ratios = new Map(
    decoded.map(({ name, nanosPerOperation }) => [
      name,
      `${(nanosPerOperation / crc.nanosPerOperation).toFixed(2)} x CRC32-C`,
    ]),
  );
  return [
    renderTable(
      "Decode MESSAGE frames of 64 KiB (frame, command, metadata, checksum)",
      "frame",
      [crc, ...decoded],
      ratios,
    ),
    renderTable("Decode small frames", "frame", smallFrames()),
    renderTable("Encode SEND frames (metadata, checksum)", "frame", encoding()),
  ].join("\n");
}

function smallFrames(): Measurement[] {
  const count = 1000;
  const receipts = receiptStream(count);
  const messages = messageStream(100, count);
  const receiptWork = { operations: count, bytes: receipts.length };
  const messageWork = { operations: count, bytes: messages.length };
  return [
    measure("SEND_RECEIPT, frame only", receiptWork, framing(receipts)),
    measure("SEND_RECEIPT, frame and command", receiptWork, decoding(receipts, receipts.length, true)),
    measure("SEND_RECEIPT, chunks of 100 bytes", receiptWork, decoding(receipts, 100, true)),
    measure("MESSAGE of 100 bytes, views", messageWork, decoding(messages, messages.length, false)),
    measure("MESSAGE of 100 bytes, reused chunks", messageWork, decoding(messages, 65_536, true)),
    measure("MESSAGE of 100 bytes, chunks of 1000 bytes", messageWork, decoding(messages, 1000, true)),
  ];
}

function framing(stream: Buffer): () => void {
  const decoder = new FrameDecoder();
  return () => {
    decoder.decode(stream, (frame) => {
      kept.value = frame.end;
    });
  };
}

function encoding(): Measurement[] {
  return [100, 1024, 10_240, 65_536].map((size) => {
    const payload = noise(size);
    return measure(`one message of ${size} bytes`, { operations: 1, bytes: size }, () =>
      encodeSendFrame(send, metadata, payload),
    );
  });
}
