/**
 * Kinds of entries that brokers write between messages, `marker_type` in the metadata: replicated subscriptions from 10
 * on, transactions from 20 on.
 */
export const MarkerType = {
  REPLICATED_SUBSCRIPTION_SNAPSHOT_REQUEST: 10,
  REPLICATED_SUBSCRIPTION_SNAPSHOT_RESPONSE: 11,
  REPLICATED_SUBSCRIPTION_SNAPSHOT: 12,
  REPLICATED_SUBSCRIPTION_UPDATE: 13,
  TXN_COMMITTING: 20,
  TXN_COMMIT: 21,
  TXN_ABORT: 22,
} as const;

/** Number of a kind of marker. */
export type MarkerType = (typeof MarkerType)[keyof typeof MarkerType];

/**
 * True when an entry is no message but a marker, of whatever kind, also one of a newer broker. A client that meets one
 * skips and acknowledges it, and gives its permit back.
 */
export function isMarker(metadata: { readonly markerType?: number | undefined }): boolean {
  return metadata.markerType !== undefined;
}

/** True for the markers with which a broker closes a transaction on a topic. */
export function isTransactionMarker(metadata: { readonly markerType?: number | undefined }): boolean {
  const { markerType } = metadata;
  return markerType !== undefined && markerType >= MarkerType.TXN_COMMITTING && markerType <= MarkerType.TXN_ABORT;
}
