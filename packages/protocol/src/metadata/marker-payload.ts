import {
  type MessageCodec,
  pulsar,
  type ReplicatedSubscriptionsSnapshot,
  type ReplicatedSubscriptionsSnapshotRequest,
  type ReplicatedSubscriptionsSnapshotResponse,
  type ReplicatedSubscriptionsUpdate,
} from "../gen/pulsar-api.js";
import { decodeGenerated, encodeGenerated } from "../protobuf/int64-codec.ts";

/** What the payload of each kind of replication marker holds. Transaction markers (20 to 22) have an empty payload. */
export interface MarkerPayloads {
  readonly REPLICATED_SUBSCRIPTION_SNAPSHOT_REQUEST: ReplicatedSubscriptionsSnapshotRequest;
  readonly REPLICATED_SUBSCRIPTION_SNAPSHOT_RESPONSE: ReplicatedSubscriptionsSnapshotResponse;
  readonly REPLICATED_SUBSCRIPTION_SNAPSHOT: ReplicatedSubscriptionsSnapshot;
  readonly REPLICATED_SUBSCRIPTION_UPDATE: ReplicatedSubscriptionsUpdate;
}

const codecs: { readonly [K in keyof MarkerPayloads]: MessageCodec<MarkerPayloads[K]> } = {
  REPLICATED_SUBSCRIPTION_SNAPSHOT_REQUEST: pulsar.proto.ReplicatedSubscriptionsSnapshotRequest,
  REPLICATED_SUBSCRIPTION_SNAPSHOT_RESPONSE: pulsar.proto.ReplicatedSubscriptionsSnapshotResponse,
  REPLICATED_SUBSCRIPTION_SNAPSHOT: pulsar.proto.ReplicatedSubscriptionsSnapshot,
  REPLICATED_SUBSCRIPTION_UPDATE: pulsar.proto.ReplicatedSubscriptionsUpdate,
};

/**
 * Decodes the payload of a replication marker.
 *
 * @throws ProtocolError `INVALID_PROTOBUF` or `MISSING_FIELD`.
 */
export function decodeMarkerPayload<K extends keyof MarkerPayloads>(kind: K, payload: Uint8Array): MarkerPayloads[K] {
  return decodeGenerated(codecs[kind] as MessageCodec<MarkerPayloads[K]>, payload, 0, payload.length);
}

/** Encodes the payload of a replication marker. */
export function encodeMarkerPayload<K extends keyof MarkerPayloads>(kind: K, payload: MarkerPayloads[K]): Uint8Array {
  return encodeGenerated(codecs[kind] as MessageCodec<MarkerPayloads[K]>, payload);
}
