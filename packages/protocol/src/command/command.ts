import type * as gen from "../gen/pulsar-api.js";

/** The body of each command, by the name of its type in the protocol. */
export interface CommandBodies {
  CONNECT: gen.CommandConnect;
  CONNECTED: gen.CommandConnected;
  SUBSCRIBE: gen.CommandSubscribe;
  PRODUCER: gen.CommandProducer;
  SEND: gen.CommandSend;
  SEND_RECEIPT: gen.CommandSendReceipt;
  SEND_ERROR: gen.CommandSendError;
  MESSAGE: gen.CommandMessage;
  ACK: gen.CommandAck;
  FLOW: gen.CommandFlow;
  UNSUBSCRIBE: gen.CommandUnsubscribe;
  SUCCESS: gen.CommandSuccess;
  ERROR: gen.CommandError;
  CLOSE_PRODUCER: gen.CommandCloseProducer;
  CLOSE_CONSUMER: gen.CommandCloseConsumer;
  PRODUCER_SUCCESS: gen.CommandProducerSuccess;
  PING: gen.CommandPing;
  PONG: gen.CommandPong;
  REDELIVER_UNACKNOWLEDGED_MESSAGES: gen.CommandRedeliverUnacknowledgedMessages;
  PARTITIONED_METADATA: gen.CommandPartitionedTopicMetadata;
  PARTITIONED_METADATA_RESPONSE: gen.CommandPartitionedTopicMetadataResponse;
  LOOKUP: gen.CommandLookupTopic;
  LOOKUP_RESPONSE: gen.CommandLookupTopicResponse;
  CONSUMER_STATS: gen.CommandConsumerStats;
  CONSUMER_STATS_RESPONSE: gen.CommandConsumerStatsResponse;
  REACHED_END_OF_TOPIC: gen.CommandReachedEndOfTopic;
  SEEK: gen.CommandSeek;
  GET_LAST_MESSAGE_ID: gen.CommandGetLastMessageId;
  GET_LAST_MESSAGE_ID_RESPONSE: gen.CommandGetLastMessageIdResponse;
  ACTIVE_CONSUMER_CHANGE: gen.CommandActiveConsumerChange;
  GET_TOPICS_OF_NAMESPACE: gen.CommandGetTopicsOfNamespace;
  GET_TOPICS_OF_NAMESPACE_RESPONSE: gen.CommandGetTopicsOfNamespaceResponse;
  GET_SCHEMA: gen.CommandGetSchema;
  GET_SCHEMA_RESPONSE: gen.CommandGetSchemaResponse;
  AUTH_CHALLENGE: gen.CommandAuthChallenge;
  AUTH_RESPONSE: gen.CommandAuthResponse;
  ACK_RESPONSE: gen.CommandAckResponse;
  GET_OR_CREATE_SCHEMA: gen.CommandGetOrCreateSchema;
  GET_OR_CREATE_SCHEMA_RESPONSE: gen.CommandGetOrCreateSchemaResponse;
  NEW_TXN: gen.CommandNewTxn;
  NEW_TXN_RESPONSE: gen.CommandNewTxnResponse;
  ADD_PARTITION_TO_TXN: gen.CommandAddPartitionToTxn;
  ADD_PARTITION_TO_TXN_RESPONSE: gen.CommandAddPartitionToTxnResponse;
  ADD_SUBSCRIPTION_TO_TXN: gen.CommandAddSubscriptionToTxn;
  ADD_SUBSCRIPTION_TO_TXN_RESPONSE: gen.CommandAddSubscriptionToTxnResponse;
  END_TXN: gen.CommandEndTxn;
  END_TXN_RESPONSE: gen.CommandEndTxnResponse;
  END_TXN_ON_PARTITION: gen.CommandEndTxnOnPartition;
  END_TXN_ON_PARTITION_RESPONSE: gen.CommandEndTxnOnPartitionResponse;
  END_TXN_ON_SUBSCRIPTION: gen.CommandEndTxnOnSubscription;
  END_TXN_ON_SUBSCRIPTION_RESPONSE: gen.CommandEndTxnOnSubscriptionResponse;
  TC_CLIENT_CONNECT_REQUEST: gen.CommandTcClientConnectRequest;
  TC_CLIENT_CONNECT_RESPONSE: gen.CommandTcClientConnectResponse;
  WATCH_TOPIC_LIST: gen.CommandWatchTopicList;
  WATCH_TOPIC_LIST_SUCCESS: gen.CommandWatchTopicListSuccess;
  WATCH_TOPIC_UPDATE: gen.CommandWatchTopicUpdate;
  WATCH_TOPIC_LIST_CLOSE: gen.CommandWatchTopicListClose;
  TOPIC_MIGRATED: gen.CommandTopicMigrated;
}

/** Name of a command type, e.g. `SEND_RECEIPT`. */
export type CommandType = keyof CommandBodies;

/** A command: its type says what the body is, so a switch over `type` is complete and typed. */
export type Command = { [T in CommandType]: { readonly type: T; readonly body: CommandBodies[T] } }[CommandType];

/** Type number and BaseCommand field of each command type; the field number equals the type number. */
export const COMMANDS: { readonly [T in CommandType]: { readonly number: number; readonly field: string } } = {
  CONNECT: { number: 2, field: "connect" },
  CONNECTED: { number: 3, field: "connected" },
  SUBSCRIBE: { number: 4, field: "subscribe" },
  PRODUCER: { number: 5, field: "producer" },
  SEND: { number: 6, field: "send" },
  SEND_RECEIPT: { number: 7, field: "sendReceipt" },
  SEND_ERROR: { number: 8, field: "sendError" },
  MESSAGE: { number: 9, field: "message" },
  ACK: { number: 10, field: "ack" },
  FLOW: { number: 11, field: "flow" },
  UNSUBSCRIBE: { number: 12, field: "unsubscribe" },
  SUCCESS: { number: 13, field: "success" },
  ERROR: { number: 14, field: "error" },
  CLOSE_PRODUCER: { number: 15, field: "closeProducer" },
  CLOSE_CONSUMER: { number: 16, field: "closeConsumer" },
  PRODUCER_SUCCESS: { number: 17, field: "producerSuccess" },
  PING: { number: 18, field: "ping" },
  PONG: { number: 19, field: "pong" },
  REDELIVER_UNACKNOWLEDGED_MESSAGES: { number: 20, field: "redeliverUnacknowledgedMessages" },
  PARTITIONED_METADATA: { number: 21, field: "partitionMetadata" },
  PARTITIONED_METADATA_RESPONSE: { number: 22, field: "partitionMetadataResponse" },
  LOOKUP: { number: 23, field: "lookupTopic" },
  LOOKUP_RESPONSE: { number: 24, field: "lookupTopicResponse" },
  CONSUMER_STATS: { number: 25, field: "consumerStats" },
  CONSUMER_STATS_RESPONSE: { number: 26, field: "consumerStatsResponse" },
  REACHED_END_OF_TOPIC: { number: 27, field: "reachedEndOfTopic" },
  SEEK: { number: 28, field: "seek" },
  GET_LAST_MESSAGE_ID: { number: 29, field: "getLastMessageId" },
  GET_LAST_MESSAGE_ID_RESPONSE: { number: 30, field: "getLastMessageIdResponse" },
  ACTIVE_CONSUMER_CHANGE: { number: 31, field: "activeConsumerChange" },
  GET_TOPICS_OF_NAMESPACE: { number: 32, field: "getTopicsOfNamespace" },
  GET_TOPICS_OF_NAMESPACE_RESPONSE: { number: 33, field: "getTopicsOfNamespaceResponse" },
  GET_SCHEMA: { number: 34, field: "getSchema" },
  GET_SCHEMA_RESPONSE: { number: 35, field: "getSchemaResponse" },
  AUTH_CHALLENGE: { number: 36, field: "authChallenge" },
  AUTH_RESPONSE: { number: 37, field: "authResponse" },
  ACK_RESPONSE: { number: 38, field: "ackResponse" },
  GET_OR_CREATE_SCHEMA: { number: 39, field: "getOrCreateSchema" },
  GET_OR_CREATE_SCHEMA_RESPONSE: { number: 40, field: "getOrCreateSchemaResponse" },
  NEW_TXN: { number: 50, field: "newTxn" },
  NEW_TXN_RESPONSE: { number: 51, field: "newTxnResponse" },
  ADD_PARTITION_TO_TXN: { number: 52, field: "addPartitionToTxn" },
  ADD_PARTITION_TO_TXN_RESPONSE: { number: 53, field: "addPartitionToTxnResponse" },
  ADD_SUBSCRIPTION_TO_TXN: { number: 54, field: "addSubscriptionToTxn" },
  ADD_SUBSCRIPTION_TO_TXN_RESPONSE: { number: 55, field: "addSubscriptionToTxnResponse" },
  END_TXN: { number: 56, field: "endTxn" },
  END_TXN_RESPONSE: { number: 57, field: "endTxnResponse" },
  END_TXN_ON_PARTITION: { number: 58, field: "endTxnOnPartition" },
  END_TXN_ON_PARTITION_RESPONSE: { number: 59, field: "endTxnOnPartitionResponse" },
  END_TXN_ON_SUBSCRIPTION: { number: 60, field: "endTxnOnSubscription" },
  END_TXN_ON_SUBSCRIPTION_RESPONSE: { number: 61, field: "endTxnOnSubscriptionResponse" },
  TC_CLIENT_CONNECT_REQUEST: { number: 62, field: "tcClientConnectRequest" },
  TC_CLIENT_CONNECT_RESPONSE: { number: 63, field: "tcClientConnectResponse" },
  WATCH_TOPIC_LIST: { number: 64, field: "watchTopicList" },
  WATCH_TOPIC_LIST_SUCCESS: { number: 65, field: "watchTopicListSuccess" },
  WATCH_TOPIC_UPDATE: { number: 66, field: "watchTopicUpdate" },
  WATCH_TOPIC_LIST_CLOSE: { number: 67, field: "watchTopicListClose" },
  TOPIC_MIGRATED: { number: 68, field: "topicMigrated" },
};
