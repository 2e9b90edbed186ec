import {
  type CommandProducerSuccess,
  type CommandSendError,
  type CommandSendReceipt,
  type Int64,
  type KeyValue,
  ProducerAccessMode,
} from "@pulsewire/protocol";
import type { BrokerUrls, Connection, ProducerHandler } from "../connection/connection.ts";
import type { PulsarError } from "../errors.ts";
import type { AttachAttempt, Attachment } from "../session/session-types.ts";
import type { ResolvedProducerOptions } from "./producer-options.ts";

/** What the attachment tells its producer. */
export interface AttachmentHost {
  /** The broker has taken the producer in; the session is not ready yet. */
  onAttached(success: CommandProducerSuccess): void;
  onReady(connection: Connection): void;
  onDisconnected(error: PulsarError): void;
  onFailed(error: PulsarError): void;
  onSendReceipt(connection: Connection, receipt: CommandSendReceipt): void;
  onSendError(connection: Connection, error: CommandSendError): void;
  onClosedByBroker(connection: Connection, hint: BrokerUrls | undefined): void;
  onConnectionClosed(connection: Connection, error: PulsarError): void;
}

/**
 * How a producer is made known to a broker: PRODUCER with the name, epochs and schema, CLOSE_PRODUCER, and the handler
 * for what the connection has for this producer id. It keeps what must be said again after a reconnect.
 */
export class ProducerAttachment implements Attachment {
  readonly #options: ResolvedProducerOptions<unknown>;
  readonly #producerId: number;
  readonly #host: AttachmentHost;
  readonly #properties: readonly KeyValue[] | undefined;
  #producerName: string | undefined;
  /** Given to exclusive producers; an outdated one tells the broker that another took the topic meanwhile. */
  #topicEpoch: Int64 | undefined;
  #attachedTo: Connection | undefined;

  constructor(options: ResolvedProducerOptions<unknown>, producerId: number, host: AttachmentHost) {
    this.#options = options;
    this.#producerId = producerId;
    this.#host = host;
    this.#producerName = options.name;
    const properties = Object.entries(options.properties).map(([key, value]) => ({ key, value }));
    this.#properties = properties.length === 0 ? undefined : properties;
  }

  async attach(connection: Connection, attempt: AttachAttempt): Promise<void> {
    const { topic, name, schema, accessMode } = this.#options;
    const producerId = this.#producerId;
    this.#attachedTo = connection;
    connection.attachProducer(producerId, new ProducerLink(connection, this.#host));
    const success = await connection.request(
      "PRODUCER",
      {
        topic,
        producerId,
        producerName: this.#producerName,
        metadata: this.#properties,
        schema: schema.info,
        epoch: attempt.epoch,
        userProvidedProducerName: name !== undefined,
        producerAccessMode: ProducerAccessMode[accessMode],
        topicEpoch: this.#topicEpoch,
      },
      {
        timeoutMs: attempt.timeoutMs,
        signal: attempt.signal,
        onQueued: attempt.onQueued,
        topic,
        producerName: this.#producerName,
      },
    );
    if (attempt.signal.aborted) return;
    this.#producerName = success.producerName;
    this.#topicEpoch = success.topicEpoch ?? this.#topicEpoch;
    this.#host.onAttached(success);
  }

  async detach(connection: Connection): Promise<void> {
    this.#unlink(connection);
    if (!connection.isOpen) return;
    const { topic } = this.#options;
    const context = { topic, producerName: this.#producerName };
    await connection.request("CLOSE_PRODUCER", { producerId: this.#producerId }, context);
  }

  onReady(connection: Connection): void {
    this.#host.onReady(connection);
  }

  onDisconnected(error: PulsarError): void {
    // The next broker may be another one: nothing from this connection concerns the producer any more.
    if (this.#attachedTo !== undefined) this.#unlink(this.#attachedTo);
    this.#host.onDisconnected(error);
  }

  onFailed(error: PulsarError): void {
    this.#host.onFailed(error);
  }

  #unlink(connection: Connection): void {
    if (this.#attachedTo === connection) this.#attachedTo = undefined;
    connection.detachProducer(this.#producerId);
  }
}

/** Hands on what one connection has for the producer, together with the connection: a later one makes it stale. */
class ProducerLink implements ProducerHandler {
  readonly #connection: Connection;
  readonly #host: AttachmentHost;
  #migratedTo: BrokerUrls | undefined;

  constructor(connection: Connection, host: AttachmentHost) {
    this.#connection = connection;
    this.#host = host;
  }

  onSendReceipt(receipt: CommandSendReceipt): void {
    this.#host.onSendReceipt(this.#connection, receipt);
  }

  onSendError(error: CommandSendError): void {
    this.#host.onSendError(this.#connection, error);
  }

  onTopicMigrated(urls: BrokerUrls): void {
    this.#migratedTo = urls;
  }

  onClosedByBroker(hint: BrokerUrls | undefined): void {
    this.#host.onClosedByBroker(this.#connection, hint ?? this.#migratedTo);
  }

  onConnectionClosed(error: PulsarError): void {
    this.#host.onConnectionClosed(this.#connection, error);
  }
}
