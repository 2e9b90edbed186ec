import { type BrokerEntryMetadata, pulsar } from "../gen/pulsar-api.js";
import { decodeGenerated, encodeGenerated } from "../protobuf/int64-codec.ts";

/**
 * Decodes what the broker put before an entry.
 *
 * @throws ProtocolError `INVALID_PROTOBUF`.
 */
export function decodeBrokerEntryMetadata(buffer: Uint8Array, start: number, end: number): BrokerEntryMetadata {
  return decodeGenerated(pulsar.proto.BrokerEntryMetadata, buffer, start, end);
}

/** Encodes what a broker puts before an entry. */
export function encodeBrokerEntryMetadata(metadata: BrokerEntryMetadata): Uint8Array {
  return encodeGenerated(pulsar.proto.BrokerEntryMetadata, metadata);
}
