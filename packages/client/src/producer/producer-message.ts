/** What a producer publishes. Only `value` is required. */
export interface ProducerMessage<T> {
  /**
   * The value, encoded by the producer's schema. `null` publishes a message without a value (a tombstone: compaction
   * removes its key); it is not the same as an empty value.
   */
  readonly value: T | null;
  /** Decides the partition, what compaction keeps and, without `orderingKey`, the order in Key_Shared. */
  readonly key?: string | Uint8Array | undefined;
  /** Decides the order in Key_Shared instead of `key`. */
  readonly orderingKey?: Uint8Array | undefined;
  /** Names with values, both text, that travel with the message. */
  readonly properties?: Readonly<Record<string, string>> | undefined;
  /** When what the message tells of happened: milliseconds since 1970 or a Date. The broker does not use it. */
  readonly eventTime?: number | Date | undefined;
  /**
   * The sequence id, from 0 to 2^63 - 1, instead of the next one in turn. With deduplication at the broker, a message
   * whose id is not above the highest one stored for the producer's name is dropped.
   */
  readonly sequenceId?: bigint | number | undefined;
  /** Not before this time: milliseconds since 1970 or a Date. Only Shared and Key_Shared subscriptions honour it. */
  readonly deliverAt?: number | Date | undefined;
  /** Not before so many milliseconds from now. Not together with `deliverAt`. */
  readonly deliverAfterMs?: number | undefined;
  /** The clusters that get this message, instead of those that the namespace names. */
  readonly replicationClusters?: readonly string[] | undefined;
  /** Keeps the message in this cluster. Not together with `replicationClusters`. */
  readonly disableReplication?: boolean | undefined;
}

/** How one `send()` waits. */
export interface SendOptions {
  /**
   * Gives up: a message that still waits for room is withdrawn and never sent. One that was accepted already is beyond
   * recall: the promise rejects with the signal's reason, yet the message may reach the topic.
   */
  readonly signal?: AbortSignal | undefined;
}
