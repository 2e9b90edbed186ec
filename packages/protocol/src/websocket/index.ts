// The WebSocket API's grammar for its clients and servers. Runs in browsers: no module of Node, no codec.

export { fromBase64, toBase64 } from "../base64/base64.ts";
export type { ProtocolErrorCode, ProtocolErrorOptions } from "../errors.ts";
export { ProtocolError } from "../errors.ts";
export type {
  CommandRefusal,
  ConsumerCommand,
  DeliveryJson,
  EncryptionContextJson,
  SessionMessage,
} from "./consumer-messages.ts";
export {
  formatConsumerCommand,
  formatDelivery,
  formatEndOfTopic,
  parseConsumerCommand,
  parseSessionMessage,
} from "./consumer-messages.ts";
export type { ConsumerParameters, ProducerParameters, ReaderParameters } from "./endpoint-parameters.ts";
export {
  CONSUMER_PARAMETERS,
  MAX_RECEIVER_QUEUE_SIZE,
  PRODUCER_PARAMETERS,
  parseConsumerParameters,
  parseProducerParameters,
  parseReaderParameters,
  READER_PARAMETERS,
} from "./endpoint-parameters.ts";
export type { EndpointDomain, EndpointRefusal, EndpointTopic, WebSocketEndpoint } from "./endpoint-path.ts";
export { endpointTopicName, formatEndpointPath, parseEndpointPath, parseTopicSelection } from "./endpoint-path.ts";
export type { WebSocketErrorCode } from "./error-code.ts";
export { formatSendResult, readSendResult, WEBSOCKET_ERRORS } from "./error-code.ts";
export type { Publish, PublishFatal, PublishJson, PublishRefusal, Receipt, ReceiptJson } from "./producer-messages.ts";
export { formatPublish, formatReceipt, formatSendError, parsePublish, parseReceipt } from "./producer-messages.ts";
export type { ParameterDefinition, ParameterTable, ParameterValues } from "./query-parameters.ts";
export { formatParameters, parseParameters } from "./query-parameters.ts";
export { formatTimestamp, parseTimestamp } from "./timestamp.ts";
