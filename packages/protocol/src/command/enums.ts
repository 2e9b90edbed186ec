import * as gen from "../gen/pulsar-api.js";

// The numbers of the protocol's enums by name. All of them are open: a newer peer may send others.
const proto = gen.pulsar.proto;

/** Why a request failed. */
export const ServerError: gen.ServerErrorValues = proto.ServerError;
/** Versions of the protocol. */
export const ProtocolVersion: gen.ProtocolVersionValues = proto.ProtocolVersion;
/** How a producer shares its topic with others. */
export const ProducerAccessMode: gen.ProducerAccessModeValues = proto.ProducerAccessMode;
/** How Key_Shared ranges are assigned. */
export const KeySharedMode: gen.KeySharedModeValues = proto.KeySharedMode;
/** How a transaction ends. */
export const TxnAction: gen.TxnActionValues = proto.TxnAction;
/** Subscription types. */
export const SubType: gen.CommandSubscribeSubTypeValues = proto.CommandSubscribe.SubType;
/** Where a new subscription starts. */
export const InitialPosition: gen.CommandSubscribeInitialPositionValues = proto.CommandSubscribe.InitialPosition;
/** Outcome of PARTITIONED_METADATA. */
export const PartitionedMetadataLookupType: gen.CommandPartitionedTopicMetadataResponseLookupTypeValues =
  proto.CommandPartitionedTopicMetadataResponse.LookupType;
/** Outcome of LOOKUP. */
export const LookupType: gen.CommandLookupTopicResponseLookupTypeValues = proto.CommandLookupTopicResponse.LookupType;
/** Individual or cumulative acknowledgement. */
export const AckType: gen.CommandAckAckTypeValues = proto.CommandAck.AckType;
/** Why a message could not be read. */
export const ValidationError: gen.CommandAckValidationErrorValues = proto.CommandAck.ValidationError;
/** What a migrated resource id names. */
export const MigratedResourceType: gen.CommandTopicMigratedResourceTypeValues = proto.CommandTopicMigrated.ResourceType;
/** Which topics of a namespace to list. */
export const TopicsMode: gen.CommandGetTopicsOfNamespaceModeValues = proto.CommandGetTopicsOfNamespace.Mode;

/** Name of a ServerError number, for messages: `ServiceNotReady`, or `UnknownServerError(99)` for a newer broker's. */
export function serverErrorName(code: number): string {
  for (const [name, number] of Object.entries(ServerError)) if (number === code) return name;
  return `UnknownServerError(${code})`;
}
