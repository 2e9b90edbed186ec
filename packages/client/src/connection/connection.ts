import type {
  CommandBodies,
  CommandMessage,
  CommandSendError,
  CommandSendReceipt,
  FeatureFlags,
  Int64,
} from "@pulsewire/protocol";
import type { PulsarError } from "../errors.ts";
import type { RequestType, ResponseBody } from "./request-types.ts";

/** Where the broker says a producer or consumer should go next (PIP-307), or where a migrated topic lives. */
export interface BrokerUrls {
  readonly brokerServiceUrl?: string | undefined;
  readonly brokerServiceUrlTls?: string | undefined;
}

/** How one request is made. */
export interface RequestOptions {
  /** Milliseconds to wait for the answer; the client's operation timeout by default. */
  readonly timeoutMs?: number | undefined;
  /** Gives up when aborted, rejecting with the signal's reason. The broker may still do what was asked. */
  readonly signal?: AbortSignal | undefined;
  /** Topic, producer or consumer that a failure is about. */
  readonly topic?: string | undefined;
  readonly producerName?: string | undefined;
  readonly consumerName?: string | undefined;
  /**
   * Called when a PRODUCER is queued behind an exclusive one (`producer_ready=false`). The request stays open without a
   * deadline until its turn comes.
   */
  readonly onQueued?: (() => void) | undefined;
}

/**
 * What an attached producer hears from its connection. Called synchronously while a frame is dispatched; exceptions are
 * logged and dropped.
 */
export interface ProducerHandler {
  onSendReceipt(receipt: CommandSendReceipt): void;
  onSendError(error: CommandSendError): void;
  /** CLOSE_PRODUCER from the broker; the handler is detached already. */
  onClosedByBroker(hint: BrokerUrls | undefined): void;
  /** TOPIC_MIGRATED; CLOSE_PRODUCER follows unless the request to create the producer is still open. */
  onTopicMigrated(urls: BrokerUrls): void;
  /** The connection is gone; the handler is detached already. Called once. */
  onConnectionClosed(error: PulsarError): void;
}

/** What an attached consumer hears from its connection, under the same rules as {@link ProducerHandler}. */
export interface ConsumerHandler {
  /** The payload part of the frame is `buffer[payloadStart..payloadEnd)`, in memory that may be kept. */
  onMessage(message: CommandMessage, buffer: Uint8Array, payloadStart: number, payloadEnd: number): void;
  onActiveConsumerChange(isActive: boolean): void;
  onReachedEndOfTopic(): void;
  /** CLOSE_CONSUMER from the broker; the handler is detached already. */
  onClosedByBroker(hint: BrokerUrls | undefined): void;
  /** TOPIC_MIGRATED; CLOSE_CONSUMER follows unless the SUBSCRIBE is still open. */
  onTopicMigrated(urls: BrokerUrls): void;
  /** The connection is gone; the handler is detached already. Called once. */
  onConnectionClosed(error: PulsarError): void;
}

/**
 * One connection to a broker that has passed its handshake. It knows ids and handlers, never a producer or a consumer,
 * and never reconnects: whoever uses it hears that it closed and gets another from the pool.
 */
export interface Connection {
  /** Number for log lines, unique within the client. */
  readonly id: number;
  /** `host:port` of the broker. */
  readonly remote: string;
  readonly isOpen: boolean;
  /** Bytes of the largest message the broker takes. */
  readonly maxMessageSizeBytes: number;
  /** The lower of both sides' protocol versions. */
  readonly protocolVersion: number;
  /** What the broker says it can do. */
  readonly features: FeatureFlags;

  /**
   * Sends a request and waits for its answer. Rejects with the typed error of an ERROR (or of an error inside the
   * answer), TimeoutError, NotConnectedError when the connection closes, or the signal's reason.
   */
  request<T extends RequestType>(
    type: T,
    body: Omit<CommandBodies[T], "requestId">,
    options?: RequestOptions,
  ): Promise<ResponseBody<T>>;
  /** An id that no other request of this connection has. */
  nextRequestId(): Int64;

  /**
   * Queues a whole frame; all frames of one tick leave together. After the close it is dropped silently. The frame must
   * not be changed afterwards.
   *
   * @returns false when more than 1 MiB waits for the socket: pause until {@link onceDrained} calls back
   */
  write(frame: Uint8Array): boolean;
  /** Bytes that wait for the socket. */
  readonly queuedBytes: number;
  /** Calls once, in a microtask, when less than 1 MiB waits for the socket. Never calls after the close. */
  onceDrained(callback: () => void): void;

  /** Frames for this producer id go to the handler from now on. Attach before PRODUCER is sent. */
  attachProducer(producerId: number, handler: ProducerHandler): void;
  detachProducer(producerId: number): void;
  /** Frames for this consumer id go to the handler from now on. Attach before SUBSCRIBE is sent. */
  attachConsumer(consumerId: number, handler: ConsumerHandler): void;
  detachConsumer(consumerId: number): void;

  /** Closes the socket; everything pending settles with the error, every handler hears it. Idempotent. */
  close(error?: PulsarError): void;
}
