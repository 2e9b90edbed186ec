import { describe, expect, it } from "vitest";
import { BatchWriter } from "../../src/batch/batch-writer.ts";
import { decodeCommand } from "../../src/command/decode-command.ts";
import { decodeEntry } from "../../src/entry/decode-entry.ts";
import { encodeMessageFrame } from "../../src/entry/message-frame.ts";
import { encodeSendFrame } from "../../src/entry/send-frame.ts";
import type { MessageMetadata } from "../../src/gen/pulsar-api.js";
import { encodeBrokerEntryMetadata } from "../../src/metadata/broker-entry-metadata.ts";
import { refusalOf } from "../refusal.ts";

const send = { producerId: 1, sequenceId: 2 };
const metadata: MessageMetadata = { producerName: "p", sequenceId: 2, publishTime: 3 };

function entryOf(frame: Buffer): Buffer {
  return frame.subarray(8 + frame.readUInt32BE(4));
}

describe("a SEND frame", () => {
  it("carries a payload of any size, none included", () => {
    for (const size of [0, 1, 95, 96, 97, 5000]) {
      const frame = encodeSendFrame(send, metadata, Buffer.alloc(size, 7));
      expect(frame.readUInt32BE(0)).toBe(frame.length - 4);
      expect(decodeCommand(frame, 8, 8 + frame.readUInt32BE(4))).toMatchObject({ type: "SEND", body: send });
      expect(decodeEntry(entryOf(frame)).payload).toEqual(Buffer.alloc(size, 7));
    }
  });

  it("is made anew when its metadata does not fit into the batch's headroom", () => {
    const batch = new BatchWriter();
    batch.add({}, Buffer.from("abc"));
    const payload = batch.payload();
    const large: MessageMetadata = { ...metadata, properties: [{ key: "k", value: "v".repeat(5000) }] };
    const frame = encodeSendFrame(send, large, payload);
    expect(frame.buffer).not.toBe(payload.buffer.buffer);
    const entry = decodeEntry(entryOf(frame));
    expect(entry.metadata).toMatchObject(large);
    expect(entry.payload).toEqual(batch.bytes());
  });

  it("may be encoded twice from one batch", () => {
    const batch = new BatchWriter();
    batch.add({}, Buffer.from("abc"));
    const first = Buffer.from(encodeSendFrame(send, metadata, batch.payload()));
    expect(encodeSendFrame(send, metadata, batch.payload())).toEqual(first);
  });
});

describe("an entry", () => {
  it("is refused when any one bit under its checksum changes", () => {
    const entry = entryOf(encodeSendFrame(send, metadata, Buffer.from("payload")));
    for (let bit = 0; bit < entry.length * 8; bit++) {
      const broken = Buffer.from(entry);
      broken[bit >> 3] = (broken[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      // Another magic number means that there is no checksum: then the size of the metadata is absurd.
      const code = bit < 16 ? /INVALID_SIZE|INVALID_MAGIC/ : /CHECKSUM_MISMATCH|INVALID_SIZE/;
      expect(refusalOf(() => decodeEntry(broken)).code).toMatch(code);
    }
  });

  it("is refused when it is cut off at any byte", () => {
    const entry = entryOf(encodeSendFrame(send, metadata, Buffer.from("payload")));
    for (let length = 0; length < entry.length; length++) {
      expect(refusalOf(() => decodeEntry(Uint8Array.from(entry.subarray(0, length)))).code).toMatch(
        /FRAME_TRUNCATED|INVALID_SIZE|CHECKSUM_MISMATCH/,
      );
    }
  });

  it("passes a broker unchanged, with and without what the broker adds", () => {
    const entry = entryOf(encodeSendFrame(send, metadata, Buffer.from("payload")));
    const message = { consumerId: 4, messageId: { ledgerId: 5, entryId: 6 } };
    const added = { brokerTimestamp: 7, index: 8 };
    const plain = entryOf(encodeMessageFrame(message, entry));
    const enriched = entryOf(encodeMessageFrame(message, entry, encodeBrokerEntryMetadata(added)));
    expect(plain).toEqual(entry);
    expect(decodeEntry(plain).brokerEntryMetadata).toBeUndefined();
    expect(decodeEntry(enriched)).toMatchObject({ ...decodeEntry(plain), brokerEntryMetadata: added });
  });
});
