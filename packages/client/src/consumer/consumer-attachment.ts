import type { CommandMessage } from "@pulsewire/protocol";
import type { BrokerUrls, Connection, ConsumerHandler } from "../connection/connection.ts";
import type { PulsarError } from "../errors.ts";
import type { AttachAttempt, Attachment } from "../session/session-types.ts";
import type { ResolvedConsumerOptions } from "./resolve-consumer-options.ts";
import { type SubscribeState, toSubscribe } from "./subscribe-command.ts";

/** What the attachment asks and tells its consumer. */
export interface ConsumerAttachmentHost {
  /** Asked right before each SUBSCRIBE. */
  subscribeState(): SubscribeState;
  onReady(connection: Connection): void;
  onDisconnected(error: PulsarError): void;
  onFailed(error: PulsarError): void;
  onMessage(connection: Connection, message: CommandMessage, buffer: Uint8Array, start: number, end: number): void;
  onActiveConsumerChange(isActive: boolean): void;
  onReachedEndOfTopic(): void;
  onClosedByBroker(connection: Connection, hint: BrokerUrls | undefined): void;
  onConnectionClosed(connection: Connection, error: PulsarError): void;
}

/** How a consumer is made known to a broker: SUBSCRIBE, CLOSE_CONSUMER, and the handler for what comes for its id. */
export class ConsumerAttachment<T> implements Attachment {
  readonly #options: ResolvedConsumerOptions<T>;
  readonly #consumerId: number;
  readonly #host: ConsumerAttachmentHost;
  #attachedTo: Connection | undefined;

  constructor(options: ResolvedConsumerOptions<T>, consumerId: number, host: ConsumerAttachmentHost) {
    this.#options = options;
    this.#consumerId = consumerId;
    this.#host = host;
  }

  async attach(connection: Connection, attempt: AttachAttempt): Promise<void> {
    const { consumerName } = this.#options;
    const state = this.#host.subscribeState();
    this.#attachedTo = connection;
    connection.attachConsumer(this.#consumerId, new ConsumerLink(connection, this.#host));
    const { timeoutMs, signal } = attempt;
    const context = { timeoutMs, signal, topic: state.topic, consumerName };
    await connection.request("SUBSCRIBE", toSubscribe(this.#options, state), context);
  }

  async detach(connection: Connection): Promise<void> {
    this.unlink(connection);
    if (!connection.isOpen) return;
    const { topic, consumerName } = this.#options;
    await connection.request("CLOSE_CONSUMER", { consumerId: this.#consumerId }, { topic, consumerName });
  }

  /** Hears nothing more from a connection, without telling the broker. */
  unlink(connection: Connection): void {
    if (this.#attachedTo === connection) this.#attachedTo = undefined;
    connection.detachConsumer(this.#consumerId);
  }

  onReady(connection: Connection): void {
    this.#host.onReady(connection);
  }

  onDisconnected(error: PulsarError): void {
    // The next broker may be another one: nothing from this connection concerns the consumer any more.
    if (this.#attachedTo !== undefined) this.unlink(this.#attachedTo);
    this.#host.onDisconnected(error);
  }

  onFailed(error: PulsarError): void {
    this.#host.onFailed(error);
  }
}

/** Hands on what one connection has for the consumer, together with the connection: a later one makes it stale. */
class ConsumerLink implements ConsumerHandler {
  readonly #connection: Connection;
  readonly #host: ConsumerAttachmentHost;
  #migratedTo: BrokerUrls | undefined;

  constructor(connection: Connection, host: ConsumerAttachmentHost) {
    this.#connection = connection;
    this.#host = host;
  }

  onMessage(message: CommandMessage, buffer: Uint8Array, payloadStart: number, payloadEnd: number): void {
    this.#host.onMessage(this.#connection, message, buffer, payloadStart, payloadEnd);
  }

  onActiveConsumerChange(isActive: boolean): void {
    this.#host.onActiveConsumerChange(isActive);
  }

  onReachedEndOfTopic(): void {
    this.#host.onReachedEndOfTopic();
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
