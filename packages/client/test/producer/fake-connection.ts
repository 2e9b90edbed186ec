import {
  BatchReader,
  type CommandBodies,
  type CommandProducer,
  decodeCommand,
  decodeEntry,
  type Int64,
  type MessageMetadata,
  ServerError,
  type SingleMessageMetadata,
} from "@pulsewire/protocol";
import type { BrokerUrls, Connection, ProducerHandler, RequestOptions } from "../../src/connection/connection.ts";
import type { RequestType, ResponseBody } from "../../src/connection/request-types.ts";
import { NotConnectedError } from "../../src/errors.ts";
import { fromServerError } from "../../src/server-errors.ts";

/** A message inside an entry that was written. */
export interface WrittenMessage {
  readonly text: string;
  readonly single: SingleMessageMetadata | undefined;
}

/** A SEND that was written, decoded. */
export interface WrittenSend {
  readonly frame: Uint8Array;
  readonly sequenceId: Int64;
  readonly highestSequenceId: Int64 | undefined;
  readonly numMessages: number | undefined;
  readonly metadata: MessageMetadata;
  readonly payload: Uint8Array;
  readonly messages: readonly WrittenMessage[];
}

type ProducerBody = Omit<CommandProducer, "requestId">;
type SuccessBody = CommandBodies["PRODUCER_SUCCESS"];

/** How a connection answers PRODUCER: a success, an error to reject with, or never. */
export type ProducerAnswer = Partial<SuccessBody> | Error | "never";

/** A connection that records what is written and lets the test speak for the broker. */
export class FakeConnection implements Connection {
  readonly id = 1;
  readonly remote = "broker:6650";
  readonly protocolVersion = 21;
  readonly features = {};
  isOpen = true;
  maxMessageSizeBytes = 5 * 1024 * 1024;
  queuedBytes = 0;
  /** What write() returns: false asks the producer to pause. */
  takesMore = true;
  /** Answer to the next PRODUCER and to all that follow. */
  producerAnswer: ProducerAnswer = {};
  readonly frames: Uint8Array[] = [];
  /** The producer's own memory behind `frames`. */
  readonly originals: Uint8Array[] = [];
  readonly producerRequests: ProducerBody[] = [];
  readonly producerOptions: RequestOptions[] = [];
  closeProducerRequests = 0;
  #handler: ProducerHandler | undefined;
  #drained: (() => void)[] = [];
  #requestId = 0;

  async request<T extends RequestType>(
    type: T,
    body: Omit<CommandBodies[T], "requestId">,
    options: RequestOptions = {},
  ): Promise<ResponseBody<T>> {
    if (!this.isOpen) throw new NotConnectedError("closed");
    if (type === "CLOSE_PRODUCER") {
      this.closeProducerRequests += 1;
      return { requestId: 0 } as ResponseBody<T>;
    }
    if (type !== "PRODUCER") throw new Error(`unexpected ${type}`);
    const producer = body as unknown as ProducerBody;
    this.producerRequests.push(producer);
    this.producerOptions.push(options);
    const answer = this.producerAnswer;
    if (answer instanceof Error) throw answer;
    if (answer === "never") return new Promise((_, reject) => this.#rejectOnAbort(options.signal, reject));
    const success: SuccessBody = {
      requestId: 0,
      producerName: producer.producerName ?? "standalone-0-1",
      lastSequenceId: -1,
      producerReady: true,
      ...answer,
    };
    return success as ResponseBody<T>;
  }

  nextRequestId(): Int64 {
    this.#requestId += 1;
    return this.#requestId;
  }

  write(frame: Uint8Array): boolean {
    // A copy, as the operating system makes one: the producer may use the memory again after the receipt.
    if (!this.isOpen) return this.takesMore;
    this.originals.push(frame);
    this.frames.push(Buffer.copyBytesFrom(frame));
    return this.takesMore;
  }

  onceDrained(callback: () => void): void {
    this.#drained.push(callback);
  }

  /** The socket has sent everything. */
  drain(): void {
    const callbacks = this.#drained;
    this.#drained = [];
    for (const callback of callbacks) callback();
  }

  attachProducer(_producerId: number, handler: ProducerHandler): void {
    this.#handler = handler;
  }

  detachProducer(): void {
    this.#handler = undefined;
  }

  attachConsumer(): void {}
  detachConsumer(): void {}

  /** The socket is gone. */
  close(error: NotConnectedError = new NotConnectedError("connection reset")): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    const handler = this.#handler;
    this.#handler = undefined;
    handler?.onConnectionClosed(error);
  }

  /** True while a producer listens. */
  get hasProducer(): boolean {
    return this.#handler !== undefined;
  }

  receipt(sequenceId: Int64, ledgerId: Int64 = 7, entryId: Int64 = 0): void {
    this.#handler?.onSendReceipt({ producerId: 1, sequenceId, messageId: { ledgerId, entryId } });
  }

  /** Receipts for everything written from this frame on. */
  receiptAll(fromFrame = 0): void {
    for (const [index, send] of this.sends().entries()) {
      if (index >= fromFrame) this.receipt(send.sequenceId, 7, index);
    }
  }

  sendError(sequenceId: Int64, error: keyof typeof ServerError): void {
    this.#handler?.onSendError({ producerId: 1, sequenceId, error: ServerError[error], message: `test ${error}` });
  }

  /** CLOSE_PRODUCER, as after an unload. */
  closeProducer(hint?: BrokerUrls): void {
    const handler = this.#handler;
    this.#handler = undefined;
    handler?.onClosedByBroker(hint);
  }

  /** TOPIC_MIGRATED. */
  migrate(urls: BrokerUrls): void {
    this.#handler?.onTopicMigrated(urls);
  }

  /** Everything written, decoded. Checks the checksums on the way. */
  sends(): WrittenSend[] {
    return this.frames.map((frame) => decodeSend(frame));
  }

  /** The texts of all messages written, in order. */
  texts(): string[] {
    return this.sends().flatMap((send) => send.messages.map((message) => message.text));
  }

  #rejectOnAbort(signal: AbortSignal | undefined, reject: (error: unknown) => void): void {
    signal?.addEventListener("abort", () => reject(signal.reason));
  }
}

/** The error that a broker's ERROR becomes. */
export function brokerError(error: keyof typeof ServerError): Error {
  return fromServerError(ServerError[error], `test ${error}`);
}

function decodeSend(frame: Uint8Array): WrittenSend {
  const commandSize = Buffer.from(frame.buffer, frame.byteOffset, frame.length).readUInt32BE(4);
  const command = decodeCommand(frame, 8, 8 + commandSize);
  if (command.type !== "SEND") throw new Error(`unexpected ${command.type}`);
  const { metadata, payload } = decodeEntry(frame, 8 + commandSize, frame.length);
  const { sequenceId, highestSequenceId, numMessages } = command.body;
  const messages: WrittenMessage[] = [];
  if (metadata.numMessagesInBatch === undefined || metadata.compression !== undefined) {
    messages.push({ text: Buffer.from(payload).toString(), single: undefined });
  } else {
    const reader = new BatchReader(payload, metadata.numMessagesInBatch);
    for (let single = reader.next(); single !== undefined; single = reader.next()) {
      messages.push({ text: reader.payload().toString(), single });
    }
  }
  return { frame, sequenceId, highestSequenceId, numMessages, metadata, payload, messages };
}
