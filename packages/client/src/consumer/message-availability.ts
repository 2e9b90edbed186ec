import { type CommandGetLastMessageIdResponse, compareInt64, MessageId, type MessageIdData } from "@pulsewire/protocol";
import { isPast, type StartPosition } from "./start-position.ts";

/** The last message id of GET_LAST_MESSAGE_ID_RESPONSE; its entry id is -1 when the topic has no message. */
export function toLastMessageId(
  response: CommandGetLastMessageIdResponse,
  partitionIndex: number,
  topic: string,
): MessageId {
  const { ledgerId, entryId, batchIndex = -1, batchSize = 0, firstChunkMessageId: first } = response.lastMessageId;
  // Every client has its own way of leaving these out; a negative one is none.
  const size = batchIndex >= 0 && batchSize <= 0 ? batchIndex + 1 : Math.max(0, batchSize);
  const firstChunk = first === undefined ? undefined : new MessageId(first.ledgerId, first.entryId, partitionIndex);
  return new MessageId(ledgerId, entryId, partitionIndex, Math.max(-1, batchIndex), size, firstChunk, topic);
}

/**
 * Whether the topic has a message after what a reader has read.
 *
 * @param passed last message behind the reader; undefined before the first
 * @param start where the reader began or was sent by the last seek
 */
export function hasMessageAfter(
  response: CommandGetLastMessageIdResponse,
  passed: MessageId | undefined,
  start: StartPosition,
): boolean {
  const last = toLastMessageId(response, -1, "");
  if (last.entry < 0) return false;
  if (passed !== undefined) return isPast(last, passed, false);
  switch (start.kind) {
    case "earliest":
      return true;
    case "id":
      return isPast(last, start.id, start.isInclusive);
    case "latest":
    case "time":
      // Only the broker knows which message that is: its cursor stands right before it.
      return isAfterMarkDelete(last, response.consumerMarkDeletePosition);
  }
}

function isAfterMarkDelete(last: MessageId, markDelete: MessageIdData | undefined): boolean {
  // Brokers before protocol version 17 do not say; the message published next will be found by the next call.
  if (markDelete === undefined) return false;
  const { ledgerId, entryId } = markDelete;
  return (compareInt64(last.ledger, ledgerId) || compareInt64(last.entry, entryId)) > 0;
}
