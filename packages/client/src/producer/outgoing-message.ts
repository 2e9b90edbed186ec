import type { Int64, KeyValue, MessageId } from "@pulsewire/protocol";
import { toInt64 } from "@pulsewire/protocol";
import { InvalidMessageError, PulsarError, SchemaSerializationError } from "../errors.ts";
import type { ProducerMessage } from "./producer-message.ts";
import type { SendReject, SendResolve } from "./send-op.ts";

/**
 * What a waiting message is counted for beside its payload, key and properties: about what its promise and its place
 * in the queues cost, so that the memory limit also bounds empty messages. Bytes.
 */
export const MESSAGE_OVERHEAD_BYTES = 256;

/** The only replication cluster that means: do not replicate. */
const NO_REPLICATION: readonly string[] = ["__local__"];

const EMPTY = new Uint8Array(0);
const INT64_MAX = 9223372036854775807n;

/** The part of a schema that producing needs. */
export interface ValueEncoder<T> {
  encode(value: T): Uint8Array;
}

/**
 * A message between `send()` and its entry: checked, encoded, in the form of the protocol. It has the fields of a
 * SingleMessageMetadata under their names, so that a batch is written straight from it.
 */
export class OutgoingMessage {
  readonly payload: Uint8Array;
  properties: readonly KeyValue[] | undefined = undefined;
  partitionKey: string | undefined = undefined;
  partitionKeyB64Encoded: boolean | undefined = undefined;
  orderingKey: Uint8Array | undefined = undefined;
  eventTime: Int64 | undefined = undefined;
  nullValue: boolean | undefined = undefined;
  /** Given by the application, or else by the producer when the message is let in. */
  sequenceId: Int64 | undefined = undefined;
  /** Milliseconds since 1970. */
  deliverAtTime: Int64 | undefined = undefined;
  replicateTo: readonly string[] | undefined = undefined;
  /** What it counts for in the memory limit. */
  sizeBytes: number;
  /** When `send()` was called, in monotonic milliseconds; set only when the message had to wait for room. */
  startedAtMs = 0;
  resolve: SendResolve<MessageId> = unset;
  reject: SendReject = unset;

  constructor(payload: Uint8Array) {
    this.payload = payload;
    this.sizeBytes = payload.length + MESSAGE_OVERHEAD_BYTES;
  }
}

function unset(): void {}

/**
 * Checks and encodes a message.
 *
 * @param nowMs milliseconds since 1970, for `deliverAfterMs`
 * @throws InvalidMessageError naming the field; SchemaSerializationError when the schema refuses the value
 */
export function createOutgoingMessage<T>(
  message: ProducerMessage<T>,
  schema: ValueEncoder<T>,
  nowMs: () => number,
): OutgoingMessage {
  if (typeof message !== "object" || message === null) throw invalid("message", message, "an object with a value");
  const { value } = message;
  const outgoing = new OutgoingMessage(value === null ? EMPTY : encodeValue(value, schema));
  if (value === null) outgoing.nullValue = true;
  if (message.key !== undefined) setKey(outgoing, message.key);
  if (message.properties !== undefined) setProperties(outgoing, message.properties);
  if (message.orderingKey !== undefined) {
    if (!(message.orderingKey instanceof Uint8Array)) throw invalid("orderingKey", message.orderingKey, "a Uint8Array");
    // A copy: the entry may be encoded after the application has reused its buffer.
    outgoing.orderingKey = new Uint8Array(message.orderingKey);
    outgoing.sizeBytes += message.orderingKey.length;
  }
  if (message.eventTime !== undefined) outgoing.eventTime = toTime("eventTime", message.eventTime);
  if (message.sequenceId !== undefined) outgoing.sequenceId = toSequenceId("sequenceId", message.sequenceId);
  if (message.deliverAt !== undefined || message.deliverAfterMs !== undefined) setDelivery(outgoing, message, nowMs);
  if (message.replicationClusters !== undefined || message.disableReplication === true) {
    setReplication(outgoing, message);
  }
  return outgoing;
}

/**
 * A sequence id in the library's form.
 *
 * @throws InvalidMessageError naming the field
 */
export function toSequenceId(field: string, value: bigint | number): Int64 {
  const isValid =
    typeof value === "bigint" ? value >= 0n && value <= INT64_MAX : Number.isSafeInteger(value) && value >= 0;
  if (!isValid) throw invalid(field, value, "an integer from 0 to 2^63 - 1, beyond 2^53 - 1 as a bigint");
  return toInt64(value);
}

function encodeValue<T>(value: T, schema: ValueEncoder<T>): Uint8Array {
  if (value === undefined) throw invalid("value", value, "a value, or null for a message without one");
  let payload: Uint8Array;
  try {
    payload = schema.encode(value);
  } catch (error) {
    if (PulsarError.isPulsarError(error)) throw error;
    throw new SchemaSerializationError("the schema could not encode the value", { cause: error });
  }
  if (!(payload instanceof Uint8Array)) {
    throw new SchemaSerializationError(`the schema gave ${typeof payload} instead of bytes`);
  }
  return payload;
}

function setKey(outgoing: OutgoingMessage, key: string | Uint8Array): void {
  if (typeof key === "string") {
    outgoing.partitionKey = key;
  } else if (key instanceof Uint8Array) {
    outgoing.partitionKey = Buffer.from(key.buffer, key.byteOffset, key.length).toString("base64");
    outgoing.partitionKeyB64Encoded = true;
  } else {
    throw invalid("key", key, "text or a Uint8Array");
  }
  outgoing.sizeBytes += Buffer.byteLength(outgoing.partitionKey);
}

function setProperties(outgoing: OutgoingMessage, properties: Readonly<Record<string, string>>): void {
  if (typeof properties !== "object" || properties === null) throw invalid("properties", properties, "an object");
  const pairs: KeyValue[] = [];
  for (const key of Object.keys(properties)) {
    const value = properties[key];
    if (typeof value !== "string") throw invalid(`properties.${key}`, value, "text");
    pairs.push({ key, value });
    outgoing.sizeBytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  }
  if (pairs.length > 0) outgoing.properties = pairs;
}

function setDelivery<T>(outgoing: OutgoingMessage, message: ProducerMessage<T>, nowMs: () => number): void {
  const { deliverAt, deliverAfterMs } = message;
  if (deliverAt !== undefined) {
    if (deliverAfterMs !== undefined) throw invalid("deliverAfterMs", deliverAfterMs, "absent beside deliverAt");
    outgoing.deliverAtTime = toTime("deliverAt", deliverAt);
    return;
  }
  if (typeof deliverAfterMs !== "number" || !(deliverAfterMs >= 0) || deliverAfterMs > Number.MAX_SAFE_INTEGER / 2) {
    throw invalid("deliverAfterMs", deliverAfterMs, "a number of milliseconds from 0");
  }
  outgoing.deliverAtTime = Math.ceil(nowMs() + deliverAfterMs);
}

function setReplication<T>(outgoing: OutgoingMessage, message: ProducerMessage<T>): void {
  const { replicationClusters, disableReplication } = message;
  if (disableReplication === true) {
    if (replicationClusters !== undefined) {
      throw invalid("replicationClusters", replicationClusters, "absent beside disableReplication");
    }
    outgoing.replicateTo = NO_REPLICATION;
    return;
  }
  if (!Array.isArray(replicationClusters) || !replicationClusters.every((name) => typeof name === "string")) {
    throw invalid("replicationClusters", replicationClusters, "a list of cluster names");
  }
  if (replicationClusters.length > 0) outgoing.replicateTo = [...replicationClusters];
}

function toTime(field: string, value: number | Date): number {
  const ms = value instanceof Date ? value.getTime() : value;
  if (typeof ms !== "number" || !(ms >= 0) || ms > Number.MAX_SAFE_INTEGER) {
    throw invalid(field, value, "milliseconds since 1970 or a valid Date");
  }
  return Math.floor(ms);
}

function invalid(field: string, given: unknown, expected: string): InvalidMessageError {
  return new InvalidMessageError(`${field} must be ${expected}, got ${describe(given)}`);
}

function describe(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value.length > 50 ? `${value.slice(0, 50)}...` : value);
  if (typeof value === "bigint") return `${value}n`;
  if (value === null || typeof value !== "object") return String(value);
  if (value instanceof Date) return "an invalid Date";
  return Array.isArray(value) ? "a list" : (value.constructor?.name ?? "an object");
}
