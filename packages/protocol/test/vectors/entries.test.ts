import { describe, expect, it } from "vitest";
import { BatchReader } from "../../src/batch/batch-reader.ts";
import { BatchWriter } from "../../src/batch/batch-writer.ts";
import type { SingleMessageFields } from "../../src/batch/single-message-metadata.ts";
import { decodeEntry } from "../../src/entry/decode-entry.ts";
import { encodeMessageFrame } from "../../src/entry/message-frame.ts";
import { encodeSendFrame } from "../../src/entry/send-frame.ts";
import { readPayloadPart } from "../../src/frame/payload-part.ts";
import { type CommandMessage, type CommandSend, type MessageMetadata, pulsar } from "../../src/gen/pulsar-api.js";
import { encodeBrokerEntryMetadata } from "../../src/metadata/broker-entry-metadata.ts";
import { decodeMessageMetadata } from "../../src/metadata/message-metadata-decoder.ts";
import { encodeMessageMetadata } from "../../src/metadata/message-metadata-encoder.ts";
import { encodeGenerated } from "../../src/protobuf/int64-codec.ts";
import { fromVectorForm, type JsonObject, toVectorForm } from "./definitions.ts";
import { knownVectors, payloadOf, type Vector } from "./vectors.ts";

const withPayload = knownVectors.filter((vector) => vector.decoded.metadata !== undefined);
const intact = withPayload.filter((vector) => vector.decoded.checksum_ok !== false);
const corrupt = withPayload.filter((vector) => vector.decoded.checksum_ok === false);

function payloadPart(vector: Vector): Buffer {
  const frame = Buffer.from(vector.hex, "hex");
  return frame.subarray(8 + frame.readUInt32BE(4));
}

describe("entries of the vectors", () => {
  it("are there in numbers", () => {
    expect(intact.length).toBeGreaterThan(500);
    expect(corrupt.length).toBeGreaterThan(0);
  });

  it("decode to their metadata and payload length", () => {
    for (const vector of intact) {
      const entry = decodeEntry(payloadPart(vector));
      const { metadata, payload_length, broker_entry_metadata, checksum } = vector.decoded;
      expect(toVectorForm("MessageMetadata", entry.metadata), vector.name).toEqual(metadata);
      expect(entry.payload.length, vector.name).toBe(payload_length);
      expect(entry.checksum?.toString(16).padStart(8, "0"), vector.name).toBe(checksum);
      expect(
        entry.brokerEntryMetadata && toVectorForm("BrokerEntryMetadata", entry.brokerEntryMetadata),
        vector.name,
      ).toEqual(broker_entry_metadata);
    }
  });

  it("are refused when the checksum does not fit", () => {
    for (const vector of corrupt) {
      expect(() => decodeEntry(payloadPart(vector)), vector.name).toThrowError(
        expect.objectContaining({ code: "CHECKSUM_MISMATCH" }),
      );
    }
  });

  it("have metadata that encodes back to its bytes by the hand-written and by the generated code", () => {
    for (const vector of withPayload) {
      const bytes = payloadPart(vector);
      const part = readPayloadPart(bytes, 0, bytes.length);
      const expected = bytes.subarray(part.metadataStart, part.metadataEnd).toString("hex");
      const metadata = fromVectorForm("MessageMetadata", vector.decoded.metadata as JsonObject) as MessageMetadata;
      expect(encodeMessageMetadata(metadata).toString("hex"), vector.name).toBe(expected);
      const generated = encodeGenerated(pulsar.proto.MessageMetadata, metadata);
      expect(Buffer.from(generated).toString("hex"), vector.name).toBe(expected);
      const decoded = decodeMessageMetadata(bytes, part.metadataStart, part.metadataEnd);
      expect(encodeMessageMetadata(decoded).toString("hex"), vector.name).toBe(expected);
    }
  });

  it("are framed as SEND byte for byte", () => {
    let framed = 0;
    for (const vector of intact) {
      const { command, metadata, checksum } = vector.decoded;
      if (command.type !== "SEND" || checksum === undefined) continue;
      const payload = decodeEntry(payloadPart(vector)).payload;
      const frame = encodeSendFrame(
        fromVectorForm("CommandSend", command["send"] as JsonObject) as CommandSend,
        fromVectorForm("MessageMetadata", metadata as JsonObject) as MessageMetadata,
        payload,
      );
      expect(frame.toString("hex"), vector.name).toBe(vector.hex);
      framed++;
    }
    expect(framed).toBeGreaterThan(200);
  });

  it("are framed as MESSAGE byte for byte, broker entry metadata included", () => {
    let framed = 0;
    for (const vector of withPayload) {
      const { command, broker_entry_metadata } = vector.decoded;
      if (command.type !== "MESSAGE") continue;
      const bytes = payloadPart(vector);
      const part = readPayloadPart(bytes, 0, bytes.length);
      const entry = bytes.subarray(Math.max(part.brokerEntryMetadataEnd, 0));
      const frame = encodeMessageFrame(
        fromVectorForm("CommandMessage", command["message"] as JsonObject) as CommandMessage,
        entry,
        broker_entry_metadata &&
          encodeBrokerEntryMetadata(fromVectorForm("BrokerEntryMetadata", broker_entry_metadata)),
      );
      expect(frame.toString("hex"), vector.name).toBe(vector.hex);
      framed++;
    }
    expect(framed).toBeGreaterThan(200);
  });
});

describe("batches of the vectors", () => {
  const batches = intact.filter((vector) => vector.batch !== undefined);

  function container(vector: Vector): Buffer {
    if (vector.plain_hex !== undefined) return Buffer.from(vector.plain_hex, "hex");
    return decodeEntry(payloadPart(vector)).payload;
  }

  it("unpack to their messages", () => {
    expect(batches.length).toBeGreaterThan(70);
    for (const vector of batches) {
      const messages = vector.batch ?? [];
      const reader = new BatchReader(container(vector), messages.length);
      for (const message of messages) {
        const metadata = reader.next();
        expect(metadata && toVectorForm("SingleMessageMetadata", metadata), vector.name).toEqual(
          message.single_metadata,
        );
        expect(reader.payload(), vector.name).toEqual(payloadOf(message) ?? Buffer.alloc(0));
      }
      expect(reader.next(), vector.name).toBeUndefined();
    }
  });

  it("pack to their bytes", () => {
    for (const vector of batches) {
      const writer = new BatchWriter(16);
      for (const message of vector.batch ?? []) {
        const fields = fromVectorForm("SingleMessageMetadata", message.single_metadata) as SingleMessageFields;
        writer.add(fields, payloadOf(message) ?? Buffer.alloc(0));
      }
      expect(writer.bytes().toString("hex"), vector.name).toBe(container(vector).toString("hex"));
    }
  });

  it("are framed in place byte for byte", () => {
    let framed = 0;
    for (const vector of batches) {
      const { command, metadata } = vector.decoded;
      if (command.type !== "SEND" || vector.plain_hex !== undefined) continue;
      const writer = new BatchWriter();
      for (const message of vector.batch ?? []) {
        const fields = fromVectorForm("SingleMessageMetadata", message.single_metadata) as SingleMessageFields;
        writer.add(fields, payloadOf(message) ?? Buffer.alloc(0));
      }
      const payload = writer.payload();
      const frame = encodeSendFrame(
        fromVectorForm("CommandSend", command["send"] as JsonObject) as CommandSend,
        fromVectorForm("MessageMetadata", metadata as JsonObject) as MessageMetadata,
        payload,
      );
      expect(frame.toString("hex"), vector.name).toBe(vector.hex);
      expect(frame.buffer, vector.name).toBe(payload.buffer.buffer);
      framed++;
    }
    expect(framed).toBeGreaterThan(20);
  });
});
