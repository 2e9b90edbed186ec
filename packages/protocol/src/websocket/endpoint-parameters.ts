import { ProtocolError } from "../errors.ts";
import { type ParameterValues, parseParameters } from "./query-parameters.ts";

/** Largest receiver queue of a session; larger values are cut to it. */
export const MAX_RECEIVER_QUEUE_SIZE = 1000;

/**
 * Parameters of the producer endpoint. `sendTimeoutMillis` 0 means none. `batchingMaxMessages`, `batchingMaxPublishDelay`
 * and `maxPendingMessages` count only with batching; without it the number of pending messages has no limit.
 */
export const PRODUCER_PARAMETERS = {
  sendTimeoutMillis: { kind: "integer", min: 0, default: 30_000 },
  batchingEnabled: { kind: "boolean", default: false },
  batchingMaxMessages: { kind: "integer", min: 0, default: 1000 },
  maxPendingMessages: { kind: "integer", min: 0, default: 1000 },
  batchingMaxPublishDelay: { kind: "integer", min: 1, default: 1 },
  messageRoutingMode: {
    kind: "choice",
    values: ["SinglePartition", "RoundRobinPartition", "CustomPartition"],
    default: "SinglePartition",
  },
  compressionType: { kind: "choice", values: ["NONE", "LZ4", "ZLIB", "ZSTD", "SNAPPY"], default: "NONE" },
  producerName: { kind: "text", allowsBlank: false },
  /** The first message gets the next number. */
  initialSequenceId: { kind: "long" },
  hashingScheme: { kind: "choice", values: ["JavaStringHash", "Murmur3_32Hash"], default: "JavaStringHash" },
  encryptionKeys: { kind: "text", allowsBlank: true },
  token: { kind: "text", allowsBlank: true },
} as const;

/**
 * Parameters of the consumer endpoints. `ackTimeoutMillis` is 0 or at least 1000; `deadLetterTopic` needs
 * `maxRedeliverCount`; a `receiverQueueSize` of 0 works as a window of one.
 */
export const CONSUMER_PARAMETERS = {
  ackTimeoutMillis: { kind: "integer", min: 0, default: 0 },
  subscriptionType: {
    kind: "choice",
    values: ["Exclusive", "Failover", "Shared", "Key_Shared"],
    default: "Exclusive",
  },
  subscriptionMode: { kind: "choice", values: ["Durable", "NonDurable"], default: "Durable" },
  subscriptionInitialPosition: { kind: "choice", values: ["Latest", "Earliest"], default: "Latest" },
  receiverQueueSize: { kind: "integer", min: 0, default: 1000 },
  consumerName: { kind: "text", allowsBlank: false },
  priorityLevel: { kind: "integer", min: 0, default: 0 },
  maxRedeliverCount: { kind: "integer", min: 1 },
  deadLetterTopic: { kind: "text", allowsBlank: false },
  pullMode: { kind: "boolean", default: false },
  negativeAckRedeliveryDelay: { kind: "integer", min: 0, default: 60_000 },
  cryptoFailureAction: { kind: "choice", values: ["FAIL", "DISCARD", "CONSUME"], default: "FAIL" },
  token: { kind: "text", allowsBlank: true },
} as const;

/**
 * Parameters of the reader endpoint. `messageId` is `latest`, `earliest` or the base64 form of an id, which the reader
 * starts after; an empty one means `latest`.
 */
export const READER_PARAMETERS = {
  readerName: { kind: "text", allowsBlank: true },
  receiverQueueSize: { kind: "integer", min: 0, default: 1000 },
  messageId: { kind: "text", allowsBlank: true, default: "latest" },
  cryptoFailureAction: { kind: "choice", values: ["FAIL", "DISCARD", "CONSUME"], default: "FAIL" },
  token: { kind: "text", allowsBlank: true },
} as const;

/** Values for {@link PRODUCER_PARAMETERS}. */
export type ProducerParameters = ParameterValues<typeof PRODUCER_PARAMETERS>;
/** Values for {@link CONSUMER_PARAMETERS}. */
export type ConsumerParameters = ParameterValues<typeof CONSUMER_PARAMETERS>;
/** Values for {@link READER_PARAMETERS}. */
export type ReaderParameters = ParameterValues<typeof READER_PARAMETERS>;

/** @throws ProtocolError `INVALID_WEBSOCKET_URL` naming the parameter: HTTP status 400 */
export function parseProducerParameters(query: URLSearchParams): ProducerParameters {
  const batching = query.get("batchingEnabled")?.toLowerCase() === "true";
  if (batching) return parseParameters(PRODUCER_PARAMETERS, query);
  // Not even looked at without batching, whatever their values.
  const { batchingMaxMessages: _a, batchingMaxPublishDelay: _b, maxPendingMessages: _c, ...rest } = PRODUCER_PARAMETERS;
  return parseParameters(rest, query);
}

/** @throws ProtocolError `INVALID_WEBSOCKET_URL` naming the parameter: HTTP status 400 */
export function parseConsumerParameters(query: URLSearchParams): ConsumerParameters {
  const values = parseParameters(CONSUMER_PARAMETERS, cryptoFailureActionOr(query));
  const { ackTimeoutMillis = 0, deadLetterTopic, maxRedeliverCount } = values;
  if (ackTimeoutMillis !== 0 && ackTimeoutMillis < 1000) {
    throw new ProtocolError(
      "INVALID_WEBSOCKET_URL",
      `ackTimeoutMillis must be 0 or at least 1000, got ${ackTimeoutMillis}`,
    );
  }
  if (deadLetterTopic !== undefined && maxRedeliverCount === undefined) {
    throw new ProtocolError("INVALID_WEBSOCKET_URL", "deadLetterTopic needs maxRedeliverCount");
  }
  return values;
}

/** @throws ProtocolError `INVALID_WEBSOCKET_URL` naming the parameter: HTTP status 500 on the reader endpoint */
export function parseReaderParameters(query: URLSearchParams): ReaderParameters {
  return parseParameters(READER_PARAMETERS, cryptoFailureActionOr(query));
}

/** A crypto failure action that does not exist is passed over by the service, which only logs it. */
function cryptoFailureActionOr(query: URLSearchParams): URLSearchParams {
  const given = query.get("cryptoFailureAction");
  if (given === null || (CONSUMER_PARAMETERS.cryptoFailureAction.values as readonly string[]).includes(given))
    return query;
  const rest = new URLSearchParams(query);
  rest.delete("cryptoFailureAction");
  return rest;
}
