import type { CommandBodies, Int64 } from "@pulsewire/protocol";
import type { PulsarError } from "../errors.ts";
import type { BrokerUrls, ConsumerHandler, ProducerHandler } from "./connection.ts";

// CommandTopicMigrated.ResourceType of the protocol.
const MIGRATED_PRODUCER = 0;

/** The producers and consumers of one connection, by id. Frames for ids that nobody has (any more) find nobody. */
export class AttachedHandlers {
  readonly #producers: Map<Int64, ProducerHandler> = new Map();
  readonly #consumers: Map<Int64, ConsumerHandler> = new Map();

  attachProducer(id: number, handler: ProducerHandler): void {
    this.#producers.set(id, handler);
  }

  detachProducer(id: number): void {
    this.#producers.delete(id);
  }

  attachConsumer(id: number, handler: ConsumerHandler): void {
    this.#consumers.set(id, handler);
  }

  detachConsumer(id: number): void {
    this.#consumers.delete(id);
  }

  producer(id: Int64): ProducerHandler | undefined {
    return this.#producers.get(id);
  }

  consumer(id: Int64): ConsumerHandler | undefined {
    return this.#consumers.get(id);
  }

  /** CLOSE_PRODUCER from the broker. */
  onCloseProducer(body: CommandBodies["CLOSE_PRODUCER"]): void {
    const handler = this.#producers.get(body.producerId);
    this.#producers.delete(body.producerId);
    handler?.onClosedByBroker(assignedBroker(body));
  }

  /** CLOSE_CONSUMER from the broker. */
  onCloseConsumer(body: CommandBodies["CLOSE_CONSUMER"]): void {
    const handler = this.#consumers.get(body.consumerId);
    this.#consumers.delete(body.consumerId);
    handler?.onClosedByBroker(assignedBroker(body));
  }

  /** TOPIC_MIGRATED. */
  onTopicMigrated(body: CommandBodies["TOPIC_MIGRATED"]): void {
    const { brokerServiceUrl, brokerServiceUrlTls } = body;
    const resources = body.resourceType === MIGRATED_PRODUCER ? this.#producers : this.#consumers;
    resources.get(body.resourceId)?.onTopicMigrated({ brokerServiceUrl, brokerServiceUrlTls });
  }

  /**
   * The connection is gone: everybody is told and forgotten.
   *
   * @param guard runs a callback so that what it throws stops nobody else's
   */
  closeAll(error: PulsarError, guard: (callback: () => void) => void): void {
    const handlers = [...this.#producers.values(), ...this.#consumers.values()];
    this.#producers.clear();
    this.#consumers.clear();
    for (const handler of handlers) guard(() => handler.onConnectionClosed(error));
  }
}

function assignedBroker(
  body: CommandBodies["CLOSE_PRODUCER"] | CommandBodies["CLOSE_CONSUMER"],
): BrokerUrls | undefined {
  const { assignedBrokerServiceUrl: brokerServiceUrl, assignedBrokerServiceUrlTls: brokerServiceUrlTls } = body;
  return brokerServiceUrl || brokerServiceUrlTls ? { brokerServiceUrl, brokerServiceUrlTls } : undefined;
}
