import type { CommandBodies, CommandType } from "@pulsewire/protocol";

/** The commands that are answered by request id, each with the type of its answer. ERROR answers any of them. */
export const RESPONSE_OF = {
  PRODUCER: "PRODUCER_SUCCESS",
  SUBSCRIBE: "SUCCESS",
  UNSUBSCRIBE: "SUCCESS",
  CLOSE_PRODUCER: "SUCCESS",
  CLOSE_CONSUMER: "SUCCESS",
  SEEK: "SUCCESS",
  ACK: "ACK_RESPONSE",
  LOOKUP: "LOOKUP_RESPONSE",
  PARTITIONED_METADATA: "PARTITIONED_METADATA_RESPONSE",
  CONSUMER_STATS: "CONSUMER_STATS_RESPONSE",
  GET_LAST_MESSAGE_ID: "GET_LAST_MESSAGE_ID_RESPONSE",
  GET_TOPICS_OF_NAMESPACE: "GET_TOPICS_OF_NAMESPACE_RESPONSE",
  GET_SCHEMA: "GET_SCHEMA_RESPONSE",
  GET_OR_CREATE_SCHEMA: "GET_OR_CREATE_SCHEMA_RESPONSE",
  TC_CLIENT_CONNECT_REQUEST: "TC_CLIENT_CONNECT_RESPONSE",
  NEW_TXN: "NEW_TXN_RESPONSE",
  ADD_PARTITION_TO_TXN: "ADD_PARTITION_TO_TXN_RESPONSE",
  ADD_SUBSCRIPTION_TO_TXN: "ADD_SUBSCRIPTION_TO_TXN_RESPONSE",
  END_TXN: "END_TXN_RESPONSE",
  WATCH_TOPIC_LIST: "WATCH_TOPIC_LIST_SUCCESS",
  WATCH_TOPIC_LIST_CLOSE: "SUCCESS",
} as const satisfies Partial<Record<CommandType, CommandType>>;

/** A command that is answered by request id. */
export type RequestType = keyof typeof RESPONSE_OF;

/** The type of the answer to a request. */
export type ResponseType<T extends RequestType = RequestType> = (typeof RESPONSE_OF)[T];

/** The body of the answer to a request. */
export type ResponseBody<T extends RequestType> = CommandBodies[ResponseType<T>];
