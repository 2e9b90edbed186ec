import type { Command, CommandBodies, FrameView, Int64 } from "@pulsewire/protocol";
import type { AttachedHandlers } from "./attached-handlers.ts";
import type { ResponseType } from "./request-types.ts";

/** Where the commands of an open connection go. */
export interface CommandReceiver {
  readonly handlers: AttachedHandlers;
  /** An answer to a request. */
  onResponse(id: Int64, type: ResponseType, body: CommandBodies[ResponseType]): void;
  onError(body: CommandBodies["ERROR"]): void;
  onAuthChallenge(challenge: Uint8Array | undefined): void;
  /** The peer sent what no broker may send. */
  onViolation(reason: string): void;
}

/** Hands a command from a broker to whom it concerns. PING and PONG are answered before it comes here. */
export function dispatchCommand(command: Command, frame: FrameView, receiver: CommandReceiver): void {
  const { handlers } = receiver;
  switch (command.type) {
    case "MESSAGE":
      handlers.consumer(command.body.consumerId)?.onMessage(command.body, frame.buffer, frame.commandEnd, frame.end);
      return;
    case "SEND_RECEIPT":
      handlers.producer(command.body.producerId)?.onSendReceipt(command.body);
      return;
    case "SEND_ERROR":
      handlers.producer(command.body.producerId)?.onSendError(command.body);
      return;
    case "ACTIVE_CONSUMER_CHANGE":
      handlers.consumer(command.body.consumerId)?.onActiveConsumerChange(command.body.isActive === true);
      return;
    case "REACHED_END_OF_TOPIC":
      handlers.consumer(command.body.consumerId)?.onReachedEndOfTopic();
      return;
    case "CLOSE_PRODUCER":
      handlers.onCloseProducer(command.body);
      return;
    case "CLOSE_CONSUMER":
      handlers.onCloseConsumer(command.body);
      return;
    case "TOPIC_MIGRATED":
      handlers.onTopicMigrated(command.body);
      return;
    case "ACK_RESPONSE":
      if (command.body.requestId !== undefined) {
        receiver.onResponse(command.body.requestId, command.type, command.body);
      }
      return;
    case "SUCCESS":
    case "PRODUCER_SUCCESS":
    case "PARTITIONED_METADATA_RESPONSE":
    case "LOOKUP_RESPONSE":
    case "CONSUMER_STATS_RESPONSE":
    case "GET_LAST_MESSAGE_ID_RESPONSE":
    case "GET_TOPICS_OF_NAMESPACE_RESPONSE":
    case "GET_SCHEMA_RESPONSE":
    case "GET_OR_CREATE_SCHEMA_RESPONSE":
      receiver.onResponse(command.body.requestId, command.type, command.body);
      return;
    case "ERROR":
      receiver.onError(command.body);
      return;
    case "AUTH_CHALLENGE":
      receiver.onAuthChallenge(command.body.challenge?.authData);
      return;
    case "PING":
    case "PONG":
      return;
    // Answers to requests that a connection cannot make: nobody waits for them.
    case "NEW_TXN_RESPONSE":
    case "ADD_PARTITION_TO_TXN_RESPONSE":
    case "ADD_SUBSCRIPTION_TO_TXN_RESPONSE":
    case "END_TXN_RESPONSE":
    case "END_TXN_ON_PARTITION_RESPONSE":
    case "END_TXN_ON_SUBSCRIPTION_RESPONSE":
    case "TC_CLIENT_CONNECT_RESPONSE":
    case "WATCH_TOPIC_LIST_SUCCESS":
    case "WATCH_TOPIC_UPDATE":
      return;
    case "CONNECTED":
      receiver.onViolation("a second CONNECTED");
      return;
    case "CONNECT":
    case "AUTH_RESPONSE":
    case "PRODUCER":
    case "SEND":
    case "SUBSCRIBE":
    case "UNSUBSCRIBE":
    case "ACK":
    case "FLOW":
    case "SEEK":
    case "REDELIVER_UNACKNOWLEDGED_MESSAGES":
    case "PARTITIONED_METADATA":
    case "LOOKUP":
    case "CONSUMER_STATS":
    case "GET_LAST_MESSAGE_ID":
    case "GET_TOPICS_OF_NAMESPACE":
    case "GET_SCHEMA":
    case "GET_OR_CREATE_SCHEMA":
    case "NEW_TXN":
    case "ADD_PARTITION_TO_TXN":
    case "ADD_SUBSCRIPTION_TO_TXN":
    case "END_TXN":
    case "END_TXN_ON_PARTITION":
    case "END_TXN_ON_SUBSCRIPTION":
    case "TC_CLIENT_CONNECT_REQUEST":
    case "WATCH_TOPIC_LIST":
    case "WATCH_TOPIC_LIST_CLOSE":
      receiver.onViolation(`${command.type} is not for clients`);
      return;
  }
}
