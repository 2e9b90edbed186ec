import {
  type CommandSendError,
  type CommandSendReceipt,
  type Int64,
  MessageId,
  type MessageIdData,
  readPayloadPart,
  verifyChecksum,
} from "@pulsewire/protocol";
import type { Connection } from "../connection/connection.ts";
import {
  InvalidMessageError,
  NotConnectedError,
  PulsarError,
  type PulsarErrorContext,
  TimeoutError,
} from "../errors.ts";
import { fromServerError } from "../server-errors.ts";
import type { Clock, Timer } from "../util/clock.ts";
import type { Limiter } from "../util/limiter.ts";
import { Admission } from "./admission.ts";
import { BatchContainer } from "./batch-container.ts";
import { batchMemory } from "./batch-memory.ts";
import { MESSAGE_OVERHEAD_BYTES, type OutgoingMessage } from "./outgoing-message.ts";
import { PendingQueue } from "./pending-queue.ts";
import type { ProducerStats } from "./producer.ts";
import { sendErrorAction } from "./send-error-policy.ts";
import { entrySize, entryStart, type SendFrameEncoder } from "./send-frame.ts";
import type { SendOp } from "./send-op.ts";
import { SequenceIds } from "./sequence-ids.ts";

/** How messages are collected, bounded and given up. */
export interface SendPipelineOptions {
  readonly topic: string;
  /** Of the topic, -1 for none: SEND_RECEIPT does not carry it. */
  readonly partitionIndex: number;
  readonly encoder: SendFrameEncoder;
  readonly clock: Clock;
  readonly memory: Limiter;
  readonly maxPendingMessages: number;
  readonly sendTimeoutMs: number;
  readonly batchingEnabled: boolean;
  readonly batchingMaxMessages: number;
  readonly batchingMaxBytes: number;
  readonly batchingMaxPublishDelayMs: number;
}

/** What the broker's answer to a SEND asks of the producer. */
export type SendVerdict =
  | { readonly kind: "goOn" }
  | { readonly kind: "reconnect"; readonly error: PulsarError }
  | { readonly kind: "fail"; readonly error: PulsarError };

const GO_ON: SendVerdict = { kind: "goOn" };

/**
 * The way of messages from `send()` to their receipts: admission, batch, frame, pending queue, connection. It owns their
 * order and their promises, and the two timers: that of the open batch and that of the oldest message.
 *
 * It does not know how a connection is found: the producer tells it when there is one and when it is gone.
 */
export class SendPipeline {
  readonly #options: SendPipelineOptions;
  readonly #encoder: SendFrameEncoder;
  readonly #admission: Admission;
  readonly #batch: BatchContainer;
  readonly #pending: PendingQueue<MessageId> = new PendingQueue();
  readonly #monotonicNow: () => number;
  readonly #now: () => number;
  readonly sequenceIds: SequenceIds = new SequenceIds();
  #connection: Connection | undefined;
  /** The connection has enough to write for now. */
  #isPaused = false;
  #isStopped = false;
  #batchTimer: Timer | undefined;
  #sendTimer: Timer | undefined;
  #messagesSent = 0;
  #bytesSent = 0;
  #messagesFailed = 0;
  #entriesWritten = 0;
  #bytesWritten = 0;

  constructor(options: SendPipelineOptions) {
    const { clock, memory, maxPendingMessages, batchingMaxMessages, batchingMaxBytes } = options;
    this.#options = options;
    this.#encoder = options.encoder;
    this.#monotonicNow = () => clock.monotonicNow();
    this.#now = () => clock.now();
    this.#batch = new BatchContainer({ maxMessages: batchingMaxMessages, maxBytes: batchingMaxBytes });
    this.#admission = new Admission({
      memory,
      maxPendingMessages,
      accept: (message) => this.#accept(message),
      onFlushBlocked: () => this.#flushBatch(),
    });
  }

  /** Counters, as in the public statistics. */
  get stats(): ProducerStats {
    return {
      messagesSent: this.#messagesSent,
      bytesSent: this.#bytesSent,
      messagesFailed: this.#messagesFailed,
      entriesWritten: this.#entriesWritten,
      pendingMessages: this.#admission.pendingMessages,
      pendingBytes: this.#admission.pendingBytes,
      waitingMessages: this.#admission.waiting,
    };
  }

  /** Takes a message whose promise is in place. Without room it waits, or rejects if it must not wait. */
  submit(message: OutgoingMessage, waitsForRoom: boolean): void {
    if (this.#admission.tryEnter(message.sizeBytes)) {
      this.#accept(message);
    } else if (waitsForRoom) {
      message.startedAtMs = this.#options.clock.monotonicNow();
      this.#admission.wait(message);
      this.#armSendTimer();
    } else {
      message.reject(this.#admission.fullError(this.#context()));
    }
  }

  /** Takes back a message that waits for room; false when it is let in already. Its promise is the caller's to settle. */
  withdraw(message: OutgoingMessage): boolean {
    return this.#admission.withdraw(message);
  }

  /** Publishes the open batch and calls back when everything submitted so far has an outcome. */
  flush(onSettled: () => void): void {
    this.#admission.afterWaiting(() => {
      this.#flushBatch();
      this.#pending.whenSettled(onSettled);
    });
  }

  /** There is a connection, with the producer attached: everything pending goes out again, oldest first. */
  onConnected(connection: Connection): void {
    this.#connection = connection;
    this.#isPaused = false;
    this.#pending.rewind();
    const shrank = connection.maxMessageSizeBytes < this.#encoder.maxMessageSizeBytes;
    this.#encoder.maxMessageSizeBytes = connection.maxMessageSizeBytes;
    this.#batch.maxContainerBytes = this.#encoder.maxEntryBytes;
    if (shrank) this.#dropOversize();
    this.#pump();
  }

  /** The connection is gone, or the producer is not attached to it any more. */
  onDisconnected(): void {
    this.#connection = undefined;
    this.#pending.rewind();
  }

  /** The broker has stored an entry, or dropped it as a duplicate (then with an id of -1:-1). */
  onSendReceipt(receipt: CommandSendReceipt): SendVerdict {
    const match = this.#pending.takeReceipted(receipt.sequenceId);
    switch (match.kind) {
      case "settled":
        this.#resolve(match.op, receipt.messageId);
        return GO_ON;
      case "stale":
        return GO_ON;
      case "ahead": {
        const message = `the receipt for sequence id ${receipt.sequenceId} came before an older one`;
        return { kind: "reconnect", error: new NotConnectedError(message, this.#context()) };
      }
    }
  }

  /** The broker refused an entry. */
  onSendError(sendError: CommandSendError): SendVerdict {
    const error = fromServerError(sendError.error, sendError.message, this.#context());
    switch (sendErrorAction(sendError.error)) {
      case "failEntry": {
        const op = this.#pending.takeWritten(sendError.sequenceId);
        if (op !== undefined) this.#reject([op], error);
        return GO_ON;
      }
      case "verifyAndResend": {
        const oldest = this.#pending.peek();
        // An entry that was given up meanwhile: whatever became of it, the rest is not concerned.
        if (oldest === undefined || sendError.sequenceId < oldest.sequenceId) return GO_ON;
        const op = this.#pending.findWritten(sendError.sequenceId);
        if (op !== undefined && !isIntact(op.frame)) {
          this.#pending.takeWritten(op.sequenceId);
          this.#reject([op], error);
        }
        this.#pending.rewind();
        this.#pump();
        return GO_ON;
      }
      case "failProducer":
        return { kind: "fail", error };
      case "reconnect":
        return { kind: "reconnect", error };
    }
  }

  /** Rejects everything without an outcome and lets nothing out any more. The line of waiting messages too. */
  stop(error: unknown): void {
    const { clock } = this.#options;
    this.#isStopped = true;
    this.#connection = undefined;
    const waiting = this.#admission.takeAll();
    this.#flushBatch();
    clock.clearTimeout(this.#sendTimer);
    this.#sendTimer = undefined;
    this.#reject(this.#pending.takeAll(), error);
    for (const message of waiting) message.reject(error);
  }

  /** Takes a message that has been let in. */
  #accept(message: OutgoingMessage): void {
    const { batchingEnabled, batchingMaxBytes } = this.#options;
    try {
      message.sequenceId ??= this.sequenceIds.next();
    } catch (error) {
      this.#refuse(message, error);
      return;
    }
    const sequenceId = message.sequenceId;
    const isRepeat = this.sequenceIds.use(sequenceId);
    // A delay is kept for whole entries only; replication is decided per entry; and an entry that may be a duplicate
    // must hold nothing that is not, or the broker drops both.
    const goesAlone =
      !batchingEnabled ||
      isRepeat ||
      message.payload.length >= batchingMaxBytes ||
      message.sizeBytes > this.#batch.maxContainerBytes ||
      message.deliverAtTime !== undefined ||
      message.replicateTo !== undefined;
    if (goesAlone) {
      this.#flushBatch();
      this.#sendAlone(message, sequenceId);
      return;
    }
    if (!this.#batch.accepts(message, sequenceId)) this.#flushBatch();
    this.#batch.add(message, sequenceId, this.#monotonicNow, this.#now);
    if (this.#batch.isFull) this.#flushBatch();
    else this.#armBatchTimer();
  }

  #sendAlone(message: OutgoingMessage, sequenceId: Int64): void {
    const startedAtMs = message.startedAtMs === 0 ? this.#monotonicNow() : message.startedAtMs;
    let op: SendOp<MessageId>;
    try {
      op = this.#encoder.encodeSingle(message, sequenceId, startedAtMs, this.#now());
    } catch (error) {
      this.#refuse(message, error);
      return;
    }
    this.#enqueue(op);
  }

  #flushBatch(): void {
    const batch = this.#batch.take();
    if (batch === undefined) return;
    this.#options.clock.clearTimeout(this.#batchTimer);
    this.#batchTimer = undefined;
    let op: SendOp<MessageId>;
    try {
      op = this.#encoder.encodeBatch(batch);
    } catch (error) {
      const reason = this.#toSendFailure(error);
      for (const reject of batch.rejects) reject(reason);
      this.#messagesFailed += batch.rejects.length;
      this.#admission.leave(batch.rejects.length, batch.memoryBytes);
      return;
    }
    this.#enqueue(op);
  }

  #enqueue(op: SendOp<MessageId>): void {
    this.#pending.push(op);
    this.#armSendTimer();
    this.#pump();
  }

  /** Writes what is pending while the connection takes it. */
  #pump(): void {
    const connection = this.#connection;
    if (connection === undefined || this.#isPaused) return;
    for (let op = this.#pending.nextUnwritten(); op !== undefined; op = this.#pending.nextUnwritten()) {
      this.#pending.markWritten();
      op.writes += 1;
      this.#bytesWritten += op.frame.length;
      op.writtenUpTo = this.#bytesWritten;
      this.#entriesWritten += 1;
      if (connection.write(op.frame)) continue;
      this.#isPaused = true;
      connection.onceDrained(() => {
        if (this.#connection !== connection) return;
        this.#isPaused = false;
        this.#pump();
      });
      return;
    }
  }

  #resolve(op: SendOp<MessageId>, id: MessageIdData | undefined): void {
    const { partitionIndex } = this.#options;
    const ledger = id?.ledgerId ?? -1;
    const entry = id?.entryId ?? -1;
    const { resolves } = op;
    const size = resolves.length;
    if (op.isBatch) {
      for (let index = 0; index < size; index++) {
        resolves[index]?.(new MessageId(ledger, entry, partitionIndex, index, size));
      }
    } else {
      resolves[0]?.(new MessageId(ledger, entry, partitionIndex));
    }
    if (op.memory !== undefined && op.writes === 1 && this.#hasLeft(op)) batchMemory.giveBack(op.memory);
    this.sequenceIds.confirm(op.highestSequenceId);
    this.#messagesSent += size;
    this.#bytesSent += op.memoryBytes - size * MESSAGE_OVERHEAD_BYTES;
    this.#pending.notifySettled();
    this.#admission.leave(size, op.memoryBytes);
  }

  /** Whether what waits for the socket was all written after this entry. A receipt alone may be a forgery. */
  #hasLeft(op: SendOp<MessageId>): boolean {
    return this.#connection !== undefined && this.#bytesWritten - op.writtenUpTo >= this.#connection.queuedBytes;
  }

  /** Rejects entries that are out of the queue already. */
  #reject(ops: readonly SendOp<MessageId>[], error: unknown): void {
    let messages = 0;
    let bytes = 0;
    for (const op of ops) {
      for (const reject of op.rejects) reject(error);
      messages += op.rejects.length;
      bytes += op.memoryBytes;
    }
    this.#messagesFailed += messages;
    this.#pending.notifySettled();
    this.#admission.leave(messages, bytes);
  }

  /** A message that was let in cannot become an entry. */
  #refuse(message: OutgoingMessage, error: unknown): void {
    message.reject(this.#toSendFailure(error));
    this.#messagesFailed += 1;
    this.#admission.leave(1, message.sizeBytes);
  }

  /** Entries made for a broker with a higher limit: this one would close the connection over each of them, again and again. */
  #dropOversize(): void {
    for (const op of this.#pending.takeUnwrittenIf((op) => !this.#encoder.fits(op.frame))) {
      this.#reject([op], this.#encoder.tooBigError(entrySize(op.frame)));
    }
  }

  #armBatchTimer(): void {
    if (this.#batchTimer !== undefined) return;
    const { clock, batchingMaxPublishDelayMs } = this.#options;
    this.#batchTimer = clock.setTimeout(() => {
      this.#batchTimer = undefined;
      this.#flushBatch();
    }, batchingMaxPublishDelayMs);
  }

  /** One timer for the oldest message. It is left to run out when that message settles, and then looks for the next. */
  #armSendTimer(): void {
    const { clock, sendTimeoutMs } = this.#options;
    if (this.#sendTimer !== undefined || sendTimeoutMs === 0 || this.#isStopped) return;
    const oldest = this.#pending.peek()?.startedAtMs ?? this.#admission.oldestWaitingMs();
    if (oldest === undefined) return;
    const delay = Math.max(1, Math.ceil(oldest + sendTimeoutMs - clock.monotonicNow()));
    this.#sendTimer = clock.setTimeout(() => this.#onSendTimer(), delay);
  }

  #onSendTimer(): void {
    const { clock, sendTimeoutMs } = this.#options;
    this.#sendTimer = undefined;
    const latest = clock.monotonicNow() - sendTimeoutMs;
    const error = (): TimeoutError => new TimeoutError(`no receipt came within ${sendTimeoutMs} ms`, this.#context());
    // First, or the end of the pending ones would let these out.
    const waiting = this.#admission.takeExpired(latest);
    for (let op = this.#pending.takeExpired(latest); op !== undefined; op = this.#pending.takeExpired(latest)) {
      this.#reject([op], error());
    }
    for (const message of waiting) message.reject(error());
    this.#armSendTimer();
  }

  #toSendFailure(error: unknown): unknown {
    if (PulsarError.isPulsarError(error)) return error;
    return new InvalidMessageError("the message could not be encoded", { ...this.#context(), cause: error });
  }

  #context(): PulsarErrorContext {
    return { topic: this.#options.topic, producerName: this.#encoder.producerName };
  }
}

/** Whether the bytes of an entry still have their checksum. */
function isIntact(frame: Uint8Array): boolean {
  try {
    verifyChecksum(frame, readPayloadPart(frame, entryStart(frame), frame.length));
    return true;
  } catch {
    return false;
  }
}
