import { type CommandGetLastMessageIdResponse, compareInt64, MessageId, type MessageIdData } from "@pulsewire/protocol";
import { TimeoutError } from "../errors.ts";
import type { Session } from "../session/session.ts";
import type { Clock } from "../util/clock.ts";
import { isPast, type StartPosition } from "./start-position.ts";

/** What a lookup of the last message works with. */
export interface LastMessageOptions {
  readonly session: Session;
  readonly consumerId: number;
  readonly topic: string;
  readonly consumerName: string;
  readonly partitionIndex: number;
  readonly clock: Clock;
  readonly operationTimeoutMs: number;
  /** Aborted when the consumer ends. */
  readonly signal: AbortSignal;
}

/** Asks the broker for the last message of the topic, and remembers the answer for as long as it tells something. */
export class LastMessage {
  readonly #options: LastMessageOptions;
  #known: CommandGetLastMessageIdResponse | undefined;

  constructor(options: LastMessageOptions) {
    this.#options = options;
  }

  /** Id of the last message; its entry id is -1 when the topic has none. */
  async getId(): Promise<MessageId> {
    const { partitionIndex, topic } = this.#options;
    return toLastMessageId(await this.#request(), partitionIndex, topic);
  }

  /** Whether the last message known is behind a position: then the broker need not be asked. */
  isKnownAfter(passed: MessageId | undefined, start: StartPosition): boolean {
    return passed !== undefined && this.#known !== undefined && hasMessageAfter(this.#known, passed, start);
  }

  /** Asks the broker; then {@link isAfter} compares with the answer. */
  async refresh(): Promise<void> {
    this.#known = await this.#request();
  }

  /** Whether the topic has a message after a position, by the last answer. */
  isAfter(passed: MessageId | undefined, start: StartPosition): boolean {
    return this.#known !== undefined && hasMessageAfter(this.#known, passed, start);
  }

  /** Forgets the last answer: the subscription moved. */
  forget(): void {
    this.#known = undefined;
  }

  async #request(): Promise<CommandGetLastMessageIdResponse> {
    const { session, consumerId, topic, consumerName, clock, operationTimeoutMs, signal } = this.#options;
    const deadline = clock.monotonicNow() + operationTimeoutMs;
    const connection = await session.whenReady({ timeoutMs: operationTimeoutMs });
    const timeoutMs = deadline - clock.monotonicNow();
    const context = { topic, consumerName };
    if (timeoutMs <= 0) throw new TimeoutError("not connected within the time allowed", context);
    return connection.request("GET_LAST_MESSAGE_ID", { consumerId }, { ...context, timeoutMs, signal });
  }
}

/** The last message id of GET_LAST_MESSAGE_ID_RESPONSE; its entry id is -1 when the topic has no message. */
function toLastMessageId(response: CommandGetLastMessageIdResponse, partitionIndex: number, topic: string): MessageId {
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
function hasMessageAfter(
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
