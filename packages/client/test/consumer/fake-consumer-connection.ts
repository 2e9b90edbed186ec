import {
  type CommandAck,
  type CommandBodies,
  type CommandMessage,
  type CommandRedeliverUnacknowledgedMessages,
  type CommandSubscribe,
  decodeCommand,
  type Int64,
  type MessageIdData,
} from "@pulsewire/protocol";
import type { BrokerUrls, Connection, ConsumerHandler, RequestOptions } from "../../src/connection/connection.ts";
import type { RequestType, ResponseBody } from "../../src/connection/request-types.ts";
import { NotConnectedError } from "../../src/errors.ts";
import type { Entry } from "./entries.ts";

type Answer = (body: unknown, options: RequestOptions) => unknown;

/** A connection that records what a consumer asks and sends, keeps the broker's count of permits, and delivers entries. */
export class FakeConsumerConnection implements Connection {
  readonly id = 1;
  readonly remote = "broker:6650";
  readonly protocolVersion = 21;
  readonly features = {};
  readonly maxMessageSizeBytes = 5 * 1024 * 1024;
  readonly queuedBytes = 0;
  isOpen = true;
  /** Names of requests and written commands, in order. */
  readonly log: string[] = [];
  readonly subscribes: Omit<CommandSubscribe, "requestId">[] = [];
  readonly requests: { readonly type: string; readonly body: unknown }[] = [];
  readonly flows: number[] = [];
  readonly acks: CommandAck[] = [];
  readonly redeliveries: CommandRedeliverUnacknowledgedMessages[] = [];
  /** Permits as the broker counts them. */
  permits = 0;
  /** Overrides the answer to a type of request: what it returns or rejects with. */
  readonly answers: Map<RequestType, Answer> = new Map();
  readonly #pending: Set<(error: Error) => void> = new Set();
  #handler: ConsumerHandler | undefined;
  #requestId = 0;

  request<T extends RequestType>(
    type: T,
    body: Omit<CommandBodies[T], "requestId">,
    options: RequestOptions = {},
  ): Promise<ResponseBody<T>> {
    if (!this.isOpen) return Promise.reject(new NotConnectedError("closed"));
    this.log.push(type);
    this.requests.push({ type, body });
    if (type === "SUBSCRIBE") this.subscribes.push(body as unknown as CommandSubscribe);
    if (type === "ACK") this.acks.push(body as unknown as CommandAck);
    const answer = this.answers.get(type)?.(body, options) ?? {};
    return new Promise((resolve, reject) => {
      this.#pending.add(reject);
      const { signal } = options;
      signal?.addEventListener("abort", () => reject(signal.reason));
      void Promise.resolve(answer)
        .then((value) => resolve(value as ResponseBody<T>), reject)
        .finally(() => this.#pending.delete(reject));
    });
  }

  nextRequestId(): Int64 {
    this.#requestId += 1;
    return this.#requestId;
  }

  write(frame: Uint8Array): boolean {
    if (!this.isOpen) return true;
    const size = Buffer.from(frame.buffer, frame.byteOffset, frame.length).readUInt32BE(4);
    const command = decodeCommand(frame, 8, 8 + size);
    this.log.push(command.type);
    if (command.type === "FLOW") {
      if (command.body.messagePermits === 0) throw new Error("a broker closes the connection on FLOW 0");
      this.flows.push(command.body.messagePermits);
      this.permits += command.body.messagePermits;
    } else if (command.type === "ACK") this.acks.push(command.body);
    else if (command.type === "REDELIVER_UNACKNOWLEDGED_MESSAGES") this.redeliveries.push(command.body);
    else throw new Error(`unexpected ${command.type}`);
    return true;
  }

  onceDrained(callback: () => void): void {
    queueMicrotask(callback);
  }

  attachProducer(): void {}
  detachProducer(): void {}

  attachConsumer(_consumerId: number, handler: ConsumerHandler): void {
    this.#handler = handler;
  }

  detachConsumer(): void {
    this.#handler = undefined;
  }

  /** The socket is gone. */
  close(error: NotConnectedError = new NotConnectedError("connection reset")): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    for (const reject of this.#pending) reject(error);
    const handler = this.#handler;
    this.#handler = undefined;
    handler?.onConnectionClosed(error);
  }

  /** True while a consumer listens. */
  get hasConsumer(): boolean {
    return this.#handler !== undefined;
  }

  /** MESSAGE; the permits are charged as a broker does it. */
  deliver(...entries: readonly Entry[]): void {
    for (const { message, frame, start, charged } of entries) {
      this.permits -= charged;
      this.#handler?.onMessage(message, frame, start, frame.length);
    }
  }

  /** MESSAGE with raw bytes as payload part. */
  deliverBytes(message: CommandMessage, bytes: Uint8Array, charged: number): void {
    this.permits -= charged;
    this.#handler?.onMessage(message, bytes, 0, bytes.length);
  }

  /** CLOSE_CONSUMER. */
  closeConsumer(hint?: BrokerUrls): void {
    const handler = this.#handler;
    this.#handler = undefined;
    handler?.onClosedByBroker(hint);
  }

  setActive(isActive: boolean): void {
    this.#handler?.onActiveConsumerChange(isActive);
  }

  reachEndOfTopic(): void {
    this.#handler?.onReachedEndOfTopic();
  }

  /** What was acknowledged so far as `ledger:entry`, with the words of an ack_set, `<=` for cumulative, `!` for unreadable. */
  get acked(): string[] {
    return this.acks.flatMap(({ ackType, messageId = [], validationError }) =>
      messageId.map((id) => `${validationError === undefined ? "" : "!"}${ackType === 1 ? "<=" : ""}${text(id)}`),
    );
  }
}

function text({ ledgerId, entryId, ackSet }: MessageIdData): string {
  const words = ackSet !== undefined && ackSet.length > 0 ? `[${ackSet.join(",")}]` : "";
  return `${ledgerId}:${entryId}${words}`;
}
