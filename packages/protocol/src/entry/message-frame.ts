import { encodeCommand } from "../command/encode-command.ts";
import { MAGIC_BROKER_ENTRY_METADATA } from "../frame/payload-part.ts";
import type { CommandMessage } from "../gen/pulsar-api.js";

/**
 * Encodes a MESSAGE frame around an entry as it came in: checksum part, metadata and payload go out unchanged.
 *
 * @param entry the payload part of the SEND that published it
 * @param brokerEntryMetadata encoded BrokerEntryMetadata; leave it out for clients that may not see it
 */
export function encodeMessageFrame(
  message: CommandMessage,
  entry: Uint8Array,
  brokerEntryMetadata?: Uint8Array,
): Buffer {
  const head = encodeCommand("MESSAGE", message);
  const extra = brokerEntryMetadata === undefined ? 0 : 6 + brokerEntryMetadata.length;
  const frame = Buffer.allocUnsafe(head.length + extra + entry.length);
  frame.set(head);
  frame.writeUInt32BE(frame.length - 4, 0);
  if (brokerEntryMetadata !== undefined) {
    frame.writeUInt16BE(MAGIC_BROKER_ENTRY_METADATA, head.length);
    frame.writeUInt32BE(brokerEntryMetadata.length, head.length + 2);
    frame.set(brokerEntryMetadata, head.length + 6);
  }
  frame.set(entry, head.length + extra);
  return frame;
}
