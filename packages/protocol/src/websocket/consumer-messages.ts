import { fromBase64 } from "../base64/base64.ts";
import { ProtocolError } from "../errors.ts";
import { isJsonObject, type JsonObject, parseJsonObject, scalarText, textMap } from "./json-fields.ts";

/** How a message was encrypted, for sessions with `cryptoFailureAction=CONSUME`. */
export interface EncryptionContextJson {
  readonly keys: Readonly<
    Record<string, { readonly keyValue: string; readonly metadata?: Readonly<Record<string, string>> | undefined }>
  >;
  /** Base64 of the initialisation vector. */
  readonly param: string;
  readonly compressionType?: string | undefined;
  readonly uncompressedMessageSize?: number | undefined;
  /** Messages in the payload when it is a batch, else null. */
  readonly batchSize?: number | null | undefined;
}

/** A message as it is sent to consumers and readers. */
export interface DeliveryJson {
  /** Base64, opaque: sent back as it is. */
  readonly messageId: string;
  /** Base64. */
  readonly payload: string;
  readonly properties: Readonly<Record<string, string>>;
  /** ISO date-time with offset. */
  readonly publishTime: string;
  readonly redeliveryCount: number;
  /** ISO date-time with offset. */
  readonly eventTime?: string | undefined;
  readonly encryptionContext?: EncryptionContextJson | undefined;
  readonly key?: string | undefined;
}

/** What a consumer or reader session receives. */
export type SessionMessage =
  | { readonly kind: "message"; readonly message: DeliveryJson }
  | { readonly kind: "end-of-topic"; readonly endOfTopic: boolean };

/** What a consumer or reader session sends. */
export type ConsumerCommand =
  | { readonly kind: "acknowledge"; readonly messageId: string }
  | { readonly kind: "negative-acknowledge"; readonly messageId: string }
  | { readonly kind: "permit"; readonly permitMessages: number }
  | { readonly kind: "is-end-of-topic" }
  | { readonly kind: "unsubscribe" };

/** A text on which the service ends the session: dropping the connection (1006) or with close code 1011. */
export interface CommandRefusal {
  readonly kind: "refused";
  readonly closeCode: 1006 | 1011;
  readonly reason: string;
}

/** Text of a command. */
export function formatConsumerCommand(command: ConsumerCommand): string {
  switch (command.kind) {
    case "acknowledge":
      return JSON.stringify({ messageId: command.messageId });
    case "negative-acknowledge":
      return JSON.stringify({ type: "negativeAcknowledge", messageId: command.messageId });
    case "permit":
      return JSON.stringify({ type: "permit", permitMessages: command.permitMessages });
    case "is-end-of-topic":
      return JSON.stringify({ type: "isEndOfTopic" });
    case "unsubscribe":
      return JSON.stringify({ type: "unsubscribe" });
  }
}

/**
 * Reads the text of a command as the service does: what has no known `type` is an acknowledgement. A reader session counts
 * every object but isEndOfTopic as one, whatever it holds.
 */
export function parseConsumerCommand(text: string): ConsumerCommand | CommandRefusal {
  if (text.trim() === "null") return { kind: "refused", closeCode: 1011, reason: "null" };
  const json = parseJsonObject(text);
  if (json === undefined) return { kind: "refused", closeCode: 1006, reason: "not a JSON object" };
  switch (json["type"]) {
    case "isEndOfTopic":
      return { kind: "is-end-of-topic" };
    case "unsubscribe":
      return { kind: "unsubscribe" };
    case "permit":
      return permitOf(json["permitMessages"]);
    case "negativeAcknowledge":
      return idCommand("negative-acknowledge", json);
    default:
      return idCommand("acknowledge", json);
  }
}

function permitOf(value: unknown): ConsumerCommand | CommandRefusal {
  const count = typeof value === "number" ? value : Number(scalarText(value) ?? Number.NaN);
  if (!Number.isFinite(count)) return { kind: "refused", closeCode: 1006, reason: "permit without a number" };
  return { kind: "permit", permitMessages: Math.trunc(count) };
}

function idCommand(kind: "acknowledge" | "negative-acknowledge", json: JsonObject): ConsumerCommand | CommandRefusal {
  const value = json["messageId"] ?? undefined;
  if (value === undefined) return { kind: "refused", closeCode: 1011, reason: "messageId is missing" };
  const messageId = scalarText(value);
  if (messageId === undefined) return { kind: "refused", closeCode: 1006, reason: "messageId must be a text" };
  if (fromBase64(messageId) === undefined)
    return { kind: "refused", closeCode: 1011, reason: "messageId is no base64" };
  return { kind, messageId };
}

/** Text of a message to a consumer or reader; members that are undefined are left out. */
export function formatDelivery(message: DeliveryJson): string {
  return JSON.stringify(message);
}

/** Answer to isEndOfTopic. */
export function formatEndOfTopic(endOfTopic: boolean): string {
  return JSON.stringify({ endOfTopic });
}

/**
 * Reads what a service sends to a consumer or reader.
 *
 * @throws ProtocolError `INVALID_WEBSOCKET_MESSAGE` for a text that is neither a message nor an answer
 */
export function parseSessionMessage(text: string): SessionMessage {
  const json = parseJsonObject(text);
  if (json === undefined) throw new ProtocolError("INVALID_WEBSOCKET_MESSAGE", "not a JSON object");
  const { endOfTopic } = json as { readonly endOfTopic?: unknown };
  // The documents show texts where the service sends booleans.
  if (endOfTopic !== undefined)
    return { kind: "end-of-topic", endOfTopic: endOfTopic === true || endOfTopic === "true" };
  return { kind: "message", message: deliveryOf(json) };
}

function deliveryOf(json: JsonObject): DeliveryJson {
  const { messageId, payload, publishTime, redeliveryCount = 0, eventTime, key } = json as Record<string, unknown>;
  if (typeof messageId !== "string") throw missing("messageId");
  if (typeof payload !== "string") throw missing("payload");
  if (typeof publishTime !== "string") throw missing("publishTime");
  const context = json["encryptionContext"] ?? undefined;
  return {
    messageId,
    payload,
    properties: textMap(json["properties"] ?? {}) ?? {},
    publishTime,
    redeliveryCount: typeof redeliveryCount === "number" ? redeliveryCount : 0,
    ...(typeof eventTime === "string" ? { eventTime } : {}),
    ...(context === undefined ? {} : { encryptionContext: encryptionContextOf(context) }),
    ...(typeof key === "string" ? { key } : {}),
  };
}

function encryptionContextOf(value: unknown): EncryptionContextJson {
  if (!isJsonObject(value) || !isJsonObject(value["keys"])) throw missing("encryptionContext.keys");
  const keys: [string, { readonly keyValue: string; readonly metadata: Readonly<Record<string, string>> }][] = [];
  for (const [name, key] of Object.entries(value["keys"])) {
    if (!isJsonObject(key) || typeof key["keyValue"] !== "string") throw missing("encryptionContext.keys.keyValue");
    keys.push([name, { keyValue: key["keyValue"], metadata: textMap(key["metadata"] ?? {}) ?? {} }]);
  }
  const { param, compressionType, uncompressedMessageSize, batchSize } = value as Record<string, unknown>;
  if (typeof param !== "string") throw missing("encryptionContext.param");
  return {
    keys: Object.fromEntries(keys),
    param,
    compressionType: scalarText(compressionType),
    uncompressedMessageSize: Number(uncompressedMessageSize ?? 0),
    batchSize: typeof batchSize === "number" ? batchSize : null,
  };
}

function missing(name: string): ProtocolError {
  return new ProtocolError("INVALID_WEBSOCKET_MESSAGE", `message without ${name}`);
}
