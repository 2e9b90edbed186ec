import { compareInt64, type Int64, MessageId, type MessageIdData } from "@pulsewire/protocol";

/** Where a reader begins, or where a consumer continues after a seek. */
export type StartPosition =
  | { readonly kind: "earliest" }
  | { readonly kind: "latest" }
  | { readonly kind: "id"; readonly id: MessageId; readonly isInclusive: boolean }
  | { readonly kind: "time"; readonly publishTime: number };

/** The position that an id stands for; the ids `earliest` and `latest` are positions of their own. */
export function toStartPosition(id: MessageId, isInclusive: boolean): StartPosition {
  if (id.equals(MessageId.earliest)) return { kind: "earliest" };
  if (id.equals(MessageId.latest)) return { kind: "latest" };
  return { kind: "id", id, isInclusive };
}

/** `start_message_id` of a SUBSCRIBE. The broker begins with the whole entry, or before it: the rest is filtered here. */
export function toStartMessageId(position: StartPosition): MessageIdData {
  switch (position.kind) {
    case "earliest":
    case "time":
      return toPlainId(MessageId.earliest);
    case "latest":
      return toPlainId(MessageId.latest);
    case "id": {
      // A chunked message begins with its first chunk.
      const { firstChunkMessageId } = position.id;
      return toPlainId(firstChunkMessageId ?? position.id);
    }
  }
}

/** Whether a message with the id `last` comes after a position that was passed: is there anything to read? */
export function isPast(last: MessageId, id: MessageId, isInclusive: boolean): boolean {
  const order = compareInt64(last.ledger, id.ledger) || compareInt64(last.entry, id.entry);
  if (order !== 0) return order > 0;
  // Without batch index the position is the whole entry.
  if (id.batchIndex < 0 || last.batchIndex < 0) return isInclusive;
  return isInclusive ? last.batchIndex >= id.batchIndex : last.batchIndex > id.batchIndex;
}

function toPlainId(id: MessageId): MessageIdData {
  const data = { ledgerId: id.ledger, entryId: id.entry };
  return id.batchIndex < 0 ? data : { ...data, batchIndex: id.batchIndex };
}

/**
 * Leaves out what comes before a start position. The broker begins with the entry of the start, or with the one before it
 * where the start is inside a batch, so a part of what arrives is not wanted. A durable subscription begins with the entry
 * itself: when an earlier one arrives, somebody else has moved the subscription back, and the start holds no more.
 */
export class StartFilter {
  readonly #ledger: Int64;
  readonly #entry: Int64;
  /** First index that is wanted of the start's own entry; infinite for none. */
  readonly #firstIndex: number;
  readonly #publishTime: number;
  readonly #isDurable: boolean;
  #isReached = false;
  #isMovedBack = false;

  constructor(position: StartPosition, isDurable: boolean) {
    this.#isDurable = isDurable;
    const id = position.kind === "id" ? position.id : MessageId.earliest;
    this.#ledger = id.ledger;
    this.#entry = id.entry;
    this.#firstIndex = position.kind === "id" ? firstIndex(id.batchIndex, position.isInclusive) : 0;
    this.#publishTime = position.kind === "time" ? position.publishTime : Number.NEGATIVE_INFINITY;
  }

  /** True once an entry at or after the start has arrived, or the start does not hold any more. */
  get isReached(): boolean {
    return this.#isReached || this.#isMovedBack;
  }

  /** First index that is wanted of an entry: 0 for all of it, infinite for nothing. */
  firstIndexOf(ledger: Int64, entry: Int64, publishTime: Int64): number {
    // What was published with a slow clock may stand behind the first message of the time asked for: it is wanted.
    if (!this.#isReached && publishTime < this.#publishTime) return Number.POSITIVE_INFINITY;
    const order = compareInt64(ledger, this.#ledger) || compareInt64(entry, this.#entry);
    if (order < 0 && !this.#isDurable) return Number.POSITIVE_INFINITY;
    if (order < 0) this.#isMovedBack = true;
    if (this.#isMovedBack) return 0;
    this.#isReached = true;
    return order > 0 ? 0 : this.#firstIndex;
  }
}

function firstIndex(batchIndex: number, isInclusive: boolean): number {
  if (batchIndex < 0) return isInclusive ? 0 : Number.POSITIVE_INFINITY;
  return isInclusive ? batchIndex : batchIndex + 1;
}
