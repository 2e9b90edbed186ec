import { readPayloadPart, verifyChecksum } from "../frame/payload-part.ts";
import type { BrokerEntryMetadata, MessageMetadata } from "../gen/pulsar-api.js";
import { decodeBrokerEntryMetadata } from "../metadata/broker-entry-metadata.ts";
import { decodeMessageMetadata } from "../metadata/message-metadata-decoder.ts";
import { asBuffer } from "../protobuf/proto-reader.ts";

/** An entry as it travels: one message, a batch, a chunk or a marker. */
export interface Entry {
  readonly brokerEntryMetadata: BrokerEntryMetadata | undefined;
  /** The stored checksum, verified; undefined where the entry has none. */
  readonly checksum: number | undefined;
  readonly metadata: MessageMetadata;
  /** A view of the payload: still encrypted and compressed, as `metadata` says. */
  readonly payload: Buffer;
}

/**
 * Decodes the payload part of a SEND or MESSAGE frame and verifies its checksum.
 *
 * @throws ProtocolError `CHECKSUM_MISMATCH`, `FRAME_TRUNCATED`, `INVALID_SIZE`, `INVALID_MAGIC`, `INVALID_PROTOBUF` or
 *   `MISSING_FIELD`.
 */
export function decodeEntry(buffer: Uint8Array, start = 0, end: number = buffer.length): Entry {
  const part = readPayloadPart(buffer, start, end);
  verifyChecksum(buffer, part);
  return {
    brokerEntryMetadata:
      part.brokerEntryMetadataStart < 0
        ? undefined
        : decodeBrokerEntryMetadata(buffer, part.brokerEntryMetadataStart, part.brokerEntryMetadataEnd),
    checksum: part.checksum,
    metadata: decodeMessageMetadata(buffer, part.metadataStart, part.metadataEnd),
    payload: asBuffer(buffer).subarray(part.metadataEnd, end),
  };
}
