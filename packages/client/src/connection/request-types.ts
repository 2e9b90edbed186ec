import type { CommandBodies } from "@pulsewire/protocol";

/** The commands that are answered by request id, each with the type of its answer. ERROR answers any of them. */
export interface ResponseTypes {
  readonly PRODUCER: "PRODUCER_SUCCESS";
  readonly SUBSCRIBE: "SUCCESS";
  readonly UNSUBSCRIBE: "SUCCESS";
  readonly CLOSE_PRODUCER: "SUCCESS";
  readonly CLOSE_CONSUMER: "SUCCESS";
  readonly SEEK: "SUCCESS";
  readonly ACK: "ACK_RESPONSE";
  readonly LOOKUP: "LOOKUP_RESPONSE";
  readonly PARTITIONED_METADATA: "PARTITIONED_METADATA_RESPONSE";
  readonly CONSUMER_STATS: "CONSUMER_STATS_RESPONSE";
  readonly GET_LAST_MESSAGE_ID: "GET_LAST_MESSAGE_ID_RESPONSE";
  readonly GET_TOPICS_OF_NAMESPACE: "GET_TOPICS_OF_NAMESPACE_RESPONSE";
  readonly GET_SCHEMA: "GET_SCHEMA_RESPONSE";
  readonly GET_OR_CREATE_SCHEMA: "GET_OR_CREATE_SCHEMA_RESPONSE";
}

/** A command that is answered by request id. */
export type RequestType = keyof ResponseTypes;

/** The type of the answer to a request. */
export type ResponseType<T extends RequestType = RequestType> = ResponseTypes[T];

/** The body of the answer to a request. */
export type ResponseBody<T extends RequestType> = CommandBodies[ResponseType<T>];

/** The answer that each request waits for. */
export const RESPONSE_OF: ResponseTypes = {
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
};
