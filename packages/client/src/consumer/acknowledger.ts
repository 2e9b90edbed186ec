import { MessageId } from "@pulsewire/protocol";
import { InvalidMessageError, NotAllowedError } from "../errors.ts";
import type { Message } from "../message.ts";
import type { AckableEntry, AckTracker } from "./ack-tracker.ts";
import type { ChunkCollector } from "./chunk-collector.ts";
import type { Acknowledgeable } from "./consumer.ts";
import type { SubscriptionType } from "./consumer-options.ts";
import type { EntryPosition, NegativeAcks } from "./negative-acks.ts";
import type { EntrySource } from "./received-entry.ts";
import { ReceivedMessage } from "./received-message.ts";
import { isOrdered } from "./subscribe-command.ts";

/** What an acknowledger works with. */
export interface AcknowledgerOptions<T> {
  readonly source: EntrySource<T>;
  readonly consumerName: string;
  readonly subscriptionType: SubscriptionType;
  readonly acks: AckTracker;
  readonly chunks: ChunkCollector;
  readonly negativeAcks: NegativeAcks;
}

/** The place of a message in an entry. */
interface Place {
  readonly entry: AckableEntry;
  /** -1 outside of a batch. */
  readonly batchIndex: number;
  /** All entries of a chunked message. */
  readonly chunks: readonly EntryPosition[] | undefined;
}

/**
 * Takes what users acknowledge, positively or not, in each form they may have it in: a message of this consumer, for
 * which its entry keeps the books; any other message or an id, which say as much as is written in them; or a list.
 */
export class Acknowledger<T> {
  readonly #options: AcknowledgerOptions<T>;

  constructor(options: AcknowledgerOptions<T>) {
    this.#options = options;
  }

  /** @throws InvalidMessageError */
  acknowledge(messages: Acknowledgeable<T>): Promise<void> {
    if (!isList(messages)) return this.#acknowledgeOne(messages);
    const settled = new Set(messages.map((message) => this.#acknowledgeOne(message)));
    const [first] = settled;
    if (first !== undefined && settled.size === 1) return first;
    // A group may have been sent amid the list.
    return Promise.all(settled).then(() => {});
  }

  /** @throws InvalidMessageError or NotAllowedError */
  acknowledgeCumulative(message: Message<T> | MessageId): Promise<void> {
    const { acks, subscriptionType } = this.#options;
    if (!isOrdered(subscriptionType)) {
      const text = `a ${subscriptionType} subscription has no order to acknowledge by: acknowledge messages one by one`;
      throw new NotAllowedError(text, this.#context());
    }
    const entry = this.#ownEntry(message);
    if (entry !== undefined) {
      return acks.acknowledgeCumulative(entry, ReceivedMessage.batchIndexOf(message as ReceivedMessage<T>));
    }
    const place = this.#placeOf(message);
    return acks.acknowledgeCumulative(place.entry, place.batchIndex);
  }

  /** @throws InvalidMessageError */
  negativeAcknowledge(messages: Acknowledgeable<T>): void {
    const { negativeAcks } = this.#options;
    for (const message of isList(messages) ? messages : [messages]) {
      const { entry, chunks } = this.#placeOf(message, false);
      if (chunks === undefined) negativeAcks.add(entry.ledger, entry.entry);
      else for (const chunk of chunks) negativeAcks.add(chunk.ledger, chunk.entry);
    }
  }

  #acknowledgeOne(message: Message<T> | MessageId): Promise<void> {
    const { acks, chunks, negativeAcks } = this.#options;
    const own = this.#ownEntry(message);
    if (own !== undefined && own.batchSize > 1) {
      return acks.acknowledge(own, ReceivedMessage.batchIndexOf(message as ReceivedMessage<T>));
    }
    const place = this.#placeOf(message);
    if (place.batchIndex >= 0) return acks.acknowledge(place.entry, place.batchIndex);
    const { ledger, entry } = place.entry;
    if (place.chunks !== undefined) {
      chunks.forget(ledger, entry);
      for (const chunk of place.chunks) {
        if (chunk.ledger !== ledger || chunk.entry !== entry) void acks.acknowledgeEntry(chunk.ledger, chunk.entry);
        negativeAcks.delete(chunk.ledger, chunk.entry);
      }
    }
    negativeAcks.delete(ledger, entry);
    return acks.acknowledgeEntry(ledger, entry);
  }

  /** The entry of a message that this very consumer received. */
  #ownEntry(message: Message<T> | MessageId): (AckableEntry & { readonly chunks: unknown }) | undefined {
    if (typeof message !== "object" || message === null) return undefined;
    const entry = ReceivedMessage.entryOf(message as Message<T>);
    return entry?.source === this.#options.source ? entry : undefined;
  }

  /** @param needsBatchSize whether an index is of no use without the size of its batch */
  #placeOf(message: Message<T> | MessageId, needsBatchSize = true): Place {
    const id = this.#idOf(message);
    const { acks, chunks } = this.#options;
    const { ledger, entry, batchIndex, batchSize, firstChunkMessageId } = id;
    const own = this.#ownEntry(message);
    if (own !== undefined && batchSize > 0) return { entry: own, batchIndex, chunks: undefined };
    if (batchIndex >= 0 && batchSize !== 1) {
      const batchAcks = acks.openBatch(ledger, entry);
      const size = batchAcks?.set.size ?? batchSize;
      if (needsBatchSize && batchIndex >= size) {
        const text = `message id ${id.toString()} does not say how many messages its batch has, or too few`;
        throw new InvalidMessageError(text, this.#context());
      }
      return { entry: { ledger, entry, batchSize: size, ackSet: undefined, batchAcks }, batchIndex, chunks: undefined };
    }
    return {
      entry: { ledger, entry, batchSize: 0, ackSet: undefined, batchAcks: undefined },
      batchIndex: -1,
      chunks: chunks.positionsOf(ledger, entry) ?? (firstChunkMessageId && [firstChunkMessageId, id]),
    };
  }

  #idOf(message: Message<T> | MessageId): MessageId {
    if (MessageId.isMessageId(message)) return message;
    const id: unknown = (message as Partial<Message<T>> | undefined | null)?.messageId;
    if (MessageId.isMessageId(id)) return id;
    throw new InvalidMessageError(`expected a message or a message id, got ${typeof message}`, this.#context());
  }

  #context(): { readonly topic: string; readonly consumerName: string } {
    return { topic: this.#options.source.topic, consumerName: this.#options.consumerName };
  }
}

function isList<T>(messages: Acknowledgeable<T>): messages is readonly (Message<T> | MessageId)[] {
  return Array.isArray(messages);
}
