/**
 * Error codes of the WebSocket API and their texts. A real service only ever sends 3, 7 and 8, in the `result` of a
 * publish; failures of the other kinds are HTTP answers to the upgrade.
 */
export const WEBSOCKET_ERRORS = {
  1: "Failed to create producer",
  2: "Failed to subscribe",
  3: "Failed to deserialize from JSON",
  4: "Failed to serialize to JSON",
  5: "Failed to authenticate client",
  6: "Client is not authorized",
  7: "Invalid payload encoding",
  8: "Unknown error",
} as const;

/** Number of an error of the WebSocket API. */
export type WebSocketErrorCode = keyof typeof WEBSOCKET_ERRORS;

/** The `result` of a reply: `ok`, or `send-error:` with the code. */
export function formatSendResult(code?: WebSocketErrorCode): string {
  return code === undefined ? "ok" : `send-error:${code}`;
}

/** Reads the `result` of a reply: undefined for `ok`, else the code, 8 for one that is not known. */
export function readSendResult(result: string): WebSocketErrorCode | undefined {
  if (result === "ok") return undefined;
  const number = Number(/^send-error:([1-8])$/.exec(result)?.[1] ?? 8);
  return isErrorCode(number) ? number : 8;
}

function isErrorCode(number: number): number is WebSocketErrorCode {
  return Object.hasOwn(WEBSOCKET_ERRORS, number);
}
