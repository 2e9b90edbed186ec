import { fromBase64 } from "../base64/base64.ts";
import { ProtocolError } from "../errors.ts";
import { formatSendResult, readSendResult, WEBSOCKET_ERRORS, type WebSocketErrorCode } from "./error-code.ts";
import { isJsonObject, type JsonObject, parseJsonObject, scalarText, textMap } from "./json-fields.ts";
import { parseTimestamp } from "./timestamp.ts";

/** What a client sends to publish one message. */
export interface PublishJson {
  /** Base64; an empty text is an empty payload. */
  readonly payload: string;
  readonly properties?: Readonly<Record<string, string>> | undefined;
  /** Echoed in the reply, except for code 3. */
  readonly context?: string | undefined;
  readonly key?: string | undefined;
  readonly replicationClusters?: readonly string[] | undefined;
  /** ISO date-time with offset or Z. */
  readonly eventTime?: string | undefined;
  /** In ms, 0 or less is none. */
  readonly deliverAfterMs?: number | undefined;
  /** In ms since 1970, 0 or less is none. */
  readonly deliverAt?: number | undefined;
  /** Base64 of the initialisation vector, on a session with client-side encryption. */
  readonly encryptionParam?: string | undefined;
  /** With `uncompressedMessageSize` or not at all. */
  readonly compressionType?: string | undefined;
  readonly uncompressedMessageSize?: number | undefined;
}

/** A publish as the service understands it. */
export interface Publish extends Omit<PublishJson, "payload" | "eventTime" | "properties" | "encryptionParam"> {
  readonly kind: "publish";
  readonly payload: Uint8Array;
  readonly properties: Readonly<Record<string, string>>;
  /** In ms since 1970. */
  readonly eventTimeMs?: number | undefined;
  readonly encryptionParam?: Uint8Array | undefined;
}

/** A publish that cannot be understood: the reply's code, and the context where it may be echoed. */
export interface PublishRefusal {
  readonly kind: "refused";
  readonly code: 3 | 7;
  readonly reason: string;
  readonly context?: string | undefined;
}

/** A publish on which the service ends the session with close code 1011. */
export interface PublishFatal {
  readonly kind: "fatal";
  readonly reason: string;
}

/** The reply to a publish. `errorCode` and `schemaVersion` are always 0 and mean nothing. */
export interface ReceiptJson {
  readonly result: string;
  readonly messageId?: string | undefined;
  readonly errorMsg?: string | undefined;
  readonly context?: string | undefined;
  readonly errorCode: 0;
  readonly schemaVersion: 0;
}

/** The reply to a publish, read. */
export type Receipt =
  | { readonly kind: "ok"; readonly messageId: string; readonly context?: string | undefined }
  | {
      readonly kind: "error";
      readonly code: WebSocketErrorCode;
      readonly message: string;
      readonly context?: string | undefined;
    };

/** Text of a publish; members that are undefined are left out. */
export function formatPublish(publish: PublishJson): string {
  return JSON.stringify(publish);
}

/** Reads the text of a publish as the service does. */
export function parsePublish(text: string): Publish | PublishRefusal | PublishFatal {
  // The service takes null for a publish without any member.
  const json = text.trim() === "null" ? {} : parseJsonObject(text);
  if (json === undefined) return malformed("not a JSON object");
  const defect = findDefect(json);
  if (defect !== undefined) return defect;
  const context = scalarText(json["context"]);
  const echo = context === undefined ? {} : { context };
  const payload = fromBase64(scalarText(json["payload"]) ?? "?");
  if (payload === undefined) return invalid("payload is missing or no base64", echo);
  const eventTimeText = json["eventTime"] ?? undefined;
  const eventTimeMs = typeof eventTimeText === "string" ? parseTimestamp(eventTimeText) : undefined;
  if (eventTimeText !== undefined && eventTimeMs === undefined) {
    return invalid("eventTime is no ISO date-time with offset", echo);
  }
  const ivText = json["encryptionParam"] ?? undefined;
  const encryptionParam = typeof ivText === "string" ? fromBase64(ivText) : undefined;
  if (ivText !== undefined && encryptionParam === undefined) return invalid("encryptionParam is no base64", echo);
  const compressionType = scalarText(json["compressionType"]);
  const uncompressedMessageSize = numberOf(json["uncompressedMessageSize"]);
  return {
    kind: "publish",
    payload,
    properties: textMap(json["properties"] ?? {}) ?? {},
    ...echo,
    ...given("key", scalarText(json["key"])),
    ...given("replicationClusters", (json["replicationClusters"] ?? undefined) as readonly string[] | undefined),
    ...given("eventTimeMs", eventTimeMs),
    ...given("deliverAfterMs", numberOf(json["deliverAfterMs"])),
    ...given("deliverAt", numberOf(json["deliverAt"])),
    ...given("encryptionParam", encryptionParam),
    ...given("compressionType", compressionType),
    ...given("uncompressedMessageSize", uncompressedMessageSize),
  };
}

/** The reply to a stored message. */
export function formatReceipt(messageId: string, context: string | undefined): string {
  const receipt: ReceiptJson = { result: formatSendResult(), messageId, context, errorCode: 0, schemaVersion: 0 };
  return JSON.stringify(receipt);
}

/** The reply to a publish that failed. */
export function formatSendError(code: WebSocketErrorCode, message: string, context: string | undefined): string {
  const receipt: ReceiptJson = {
    result: formatSendResult(code),
    errorMsg: message,
    context: code === 3 ? undefined : context,
    errorCode: 0,
    schemaVersion: 0,
  };
  return JSON.stringify(receipt);
}

/**
 * Reads the reply to a publish.
 *
 * @throws ProtocolError `INVALID_WEBSOCKET_MESSAGE` for a text that is no reply
 */
export function parseReceipt(text: string): Receipt {
  const json = parseJsonObject(text);
  const result = json?.["result"];
  if (json === undefined || typeof result !== "string") {
    throw new ProtocolError("INVALID_WEBSOCKET_MESSAGE", "not a reply to a publish");
  }
  const echo = given("context", scalarText(json["context"]));
  const code = readSendResult(result);
  if (code !== undefined) {
    return { kind: "error", code, message: scalarText(json["errorMsg"]) ?? WEBSOCKET_ERRORS[code], ...echo };
  }
  const messageId = json["messageId"];
  if (typeof messageId !== "string") {
    throw new ProtocolError("INVALID_WEBSOCKET_MESSAGE", "reply without messageId");
  }
  return { kind: "ok", messageId, ...echo };
}

/** The first member whose type makes the whole text unusable. */
function findDefect(json: JsonObject): PublishRefusal | PublishFatal | undefined {
  const properties = json["properties"] ?? undefined;
  if (properties !== undefined) {
    if (!isJsonObject(properties)) return malformed("properties must be an object");
    if (Object.values(properties).includes(null)) return { kind: "fatal", reason: "null value in properties" };
    if (textMap(properties) === undefined) return malformed("properties must have texts as values");
  }
  const clusters = json["replicationClusters"] ?? undefined;
  if (clusters !== undefined) {
    if (!Array.isArray(clusters)) return malformed("replicationClusters must be a list");
    if (clusters.includes(null)) return { kind: "fatal", reason: "null value in replicationClusters" };
    if (!clusters.every((cluster) => typeof cluster === "string"))
      return malformed("replicationClusters must be texts");
  }
  for (const name of ["payload", "context", "key", "eventTime", "encryptionParam", "compressionType"]) {
    const value = json[name] ?? undefined;
    if (value !== undefined && scalarText(value) === undefined) return malformed(`${name} must be a text`);
  }
  for (const name of ["deliverAfterMs", "deliverAt", "uncompressedMessageSize"]) {
    const value = json[name] ?? undefined;
    if (value !== undefined && numberOf(value) === undefined) return malformed(`${name} must be a number`);
  }
  return undefined;
}

function numberOf(value: unknown): number | undefined {
  if (typeof value === "number") return Math.trunc(value);
  return typeof value === "string" && /^-?\d{1,15}$/.test(value) ? Number(value) : undefined;
}

function given<K extends string, V>(name: K, value: V | undefined): { readonly [N in K]?: V } {
  return (value === undefined ? {} : { [name]: value }) as { readonly [N in K]?: V };
}

function malformed(reason: string): PublishRefusal {
  return { kind: "refused", code: 3, reason };
}

function invalid(reason: string, echo: { readonly context?: string }): PublishRefusal {
  return { kind: "refused", code: 7, reason, ...echo };
}
