import { type CommandMessage, MessageId, type MessageIdData } from "@pulsewire/protocol";
import type { Clock } from "../util/clock.ts";
import { RingQueue } from "../util/ring-queue.ts";
import { EntryDecoder, type EntryDecoderOptions, type MessageFrame } from "./entry-decoder.ts";
import type { EntryMap } from "./entry-map.ts";
import { Permits } from "./permits.ts";
import { ReceiveQueue } from "./receive-queue.ts";
import { ReceivedMessage } from "./received-message.ts";
import { StartFilter, type StartPosition } from "./start-position.ts";
import { permitsOfBytes, type UnreadableEntry } from "./unreadable-entry.ts";

/** What an inbox works with. */
export interface InboxOptions<T> extends Omit<EntryDecoderOptions<T>, "sink"> {
  readonly clock: Clock;
  readonly receiverQueueSize: number;
  /** Whether a message is acknowledged, with those before it, at the moment it is handed out: as for a reader. */
  readonly acknowledgesTaken: boolean;
  /** Grants permits to the broker; only called with more than 0. */
  readonly flow: (permits: number) => void;
  readonly onUnreadable: (entry: UnreadableEntry) => void;
}

/**
 * Everything between the connection and the application: frames of the present attachment are decoded in their order, the
 * messages queued, and each permit given back when its message is taken or dropped. It also knows how far the
 * application has come.
 */
export class Inbox<T> {
  readonly queue: ReceiveQueue<ReceivedMessage<T>>;
  readonly #options: InboxOptions<T>;
  readonly #decoder: EntryDecoder<T>;
  readonly #permits: Permits;
  /** Frames that wait for a codec to be loaded, and those behind them. */
  readonly #parked: RingQueue<MessageFrame> = new RingQueue();
  /** Raised by each attachment and each drop of the parked frames: what was started before is stale. */
  #generation = 0;
  #isAttached = false;
  #filter: StartFilter;
  #maxMessageSizeBytes = 0;
  #epoch = 0;
  #lastTaken: ReceivedMessage<T> | undefined;
  /** The last entry that was decoded: each of its messages was queued or dropped. */
  #lastDecoded: MessageIdData | undefined;

  constructor(options: InboxOptions<T>, start: StartPosition) {
    this.#options = options;
    this.#filter = new StartFilter(start, options.acknowledgesSkipped);
    this.#permits = new Permits(options.receiverQueueSize);
    this.queue = new ReceiveQueue(options.clock, (message) => {
      this.#lastTaken = message;
      if (options.acknowledgesTaken) this.#acknowledge(message);
      this.#giveBack(1);
    });
    this.#decoder = new EntryDecoder({
      ...options,
      sink: {
        onDecoded: (messages, permits) => {
          for (const message of messages) this.queue.push(message);
          this.#giveBack(permits);
        },
        onUnreadable: (entry) => {
          options.onUnreadable(entry);
          this.#giveBack(entry.permits);
        },
      },
    });
  }

  /** Number of the last redelivery of everything; messages of earlier ones are dropped. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Whether the start was reached: from then on the filter has nothing left to do on a durable subscription. */
  get isStartReached(): boolean {
    return this.#filter.isReached;
  }

  /**
   * The last message that is behind the application: taken, or dropped with everything taken before it. Undefined when
   * there is none since the start.
   */
  get passed(): MessageId | undefined {
    const taken = this.#lastTaken?.messageId;
    const last = this.#lastDecoded;
    if (last === undefined || this.queue.length > 0) return taken;
    const decoded = new MessageId(last.ledgerId, last.entryId);
    // After a reconnect the broker may begin before what was taken, with the first chunk of a message.
    return taken !== undefined && decoded.isBefore(new MessageId(taken.ledger, taken.entry)) ? taken : decoded;
  }

  /** Where a subscription that the broker does not keep is to go on; undefined when nothing has arrived since the start. */
  get resumePosition(): StartPosition | undefined {
    const next = this.queue.peek();
    if (next !== undefined) return { kind: "id", id: next.messageId, isInclusive: true };
    const { passed } = this;
    return passed === undefined ? undefined : { kind: "id", id: passed, isInclusive: false };
  }

  /** The oldest first chunk of the chunked messages that wait to be taken. */
  get oldestFirstChunk(): MessageId | undefined {
    let oldest: MessageId | undefined;
    this.queue.forEach((message) => {
      const first = ReceivedMessage.entryOf(message)?.chunks?.firstChunkMessageId;
      if (first !== undefined && (oldest === undefined || first.isBefore(oldest))) oldest = first;
    });
    return oldest;
  }

  /** The subscription is attached. Returns the size of the first FLOW. */
  attach(maxMessageSizeBytes: number): number {
    this.#generation += 1;
    this.#isAttached = true;
    this.#maxMessageSizeBytes = maxMessageSizeBytes;
    return this.#permits.restart();
  }

  /** The attachment is lost: what was fetched ahead will come again. */
  detach(): void {
    this.#isAttached = false;
    this.#drop();
  }

  /** Filters by another start from now on, keeping what the application has taken. */
  filterFrom(start: StartPosition): void {
    this.#filter = new StartFilter(start, this.#options.acknowledgesSkipped);
  }

  /** The subscription moves: forgets what has arrived and how far the application has come. */
  moveTo(start: StartPosition): void {
    this.filterFrom(start);
    this.#lastTaken = undefined;
    const count = this.#drop();
    this.#giveBack(count);
  }

  /** Drops what was fetched ahead and gives its permits back: the broker delivers it again, in a new epoch. */
  startEpoch(epoch: number): void {
    this.#epoch = epoch;
    this.#giveBack(this.#drop());
  }

  /** Drops queued messages of entries that the broker delivers again. */
  dropEntries(entries: EntryMap<unknown>): void {
    if (this.queue.length === 0) return;
    const count = this.queue.removeWhere((message) => {
      const entry = ReceivedMessage.entryOf(message);
      return entry !== undefined && entries.has(entry.ledger, entry.entry);
    });
    this.#giveBack(count);
  }

  /** A MESSAGE of the present attachment. */
  onMessage(message: CommandMessage, buffer: Uint8Array, start: number, end: number): void {
    const frame = { message, buffer, start, end };
    if (this.#parked.length > 0) this.#parked.push(frame);
    else if (!this.#decode(frame)) this.#parked.push(frame);
  }

  /** Decodes a frame; false when it has to wait for its codec. */
  #decode(frame: MessageFrame): boolean {
    const { consumerEpoch } = frame.message;
    if (consumerEpoch !== undefined && consumerEpoch < this.#epoch) {
      this.#giveBack(permitsOfBytes(frame.message, frame.buffer, frame.start, frame.end));
      return true;
    }
    const context = { filter: this.#filter, maxMessageSizeBytes: this.#maxMessageSizeBytes };
    const loading = this.#decoder.decode(frame, context);
    if (loading === undefined) {
      this.#lastDecoded = frame.message.messageId;
      return true;
    }
    const generation = this.#generation;
    loading.then(
      () => this.#resume(generation),
      (error: unknown) => {
        if (generation !== this.#generation) return;
        this.#parked.shift();
        this.#decoder.refuse(frame, error);
        this.#lastDecoded = frame.message.messageId;
        this.#resume(generation);
      },
    );
    return false;
  }

  /** Goes on with the parked frames until one waits again. */
  #resume(generation: number): void {
    while (generation === this.#generation) {
      const frame = this.#parked.peek();
      if (frame === undefined || !this.#decode(frame)) return;
      this.#parked.shift();
    }
  }

  /** Drops everything that the application has not taken; returns the permits it held. */
  #drop(): number {
    this.#generation += 1;
    this.#lastDecoded = undefined;
    let permits = this.queue.clear();
    for (const { message, buffer, start, end } of this.#parked.drain()) {
      permits += permitsOfBytes(message, buffer, start, end);
    }
    return permits;
  }

  #acknowledge(message: ReceivedMessage<T>): void {
    const entry = ReceivedMessage.entryOf(message);
    if (entry !== undefined)
      void this.#options.acks.acknowledgeCumulative(entry, ReceivedMessage.batchIndexOf(message));
  }

  #giveBack(count: number): void {
    // Without attachment there is nobody to grant them to, and the next one begins with the whole queue anyway.
    if (count === 0 || !this.#isAttached) return;
    const permits = this.#permits.giveBack(count);
    if (permits > 0) this.#options.flow(permits);
  }
}
