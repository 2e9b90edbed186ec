import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  CONSUMER_PARAMETERS,
  endpointTopicName,
  formatConsumerCommand,
  formatDelivery,
  formatEndOfTopic,
  formatEndpointPath,
  formatParameters,
  formatPublish,
  formatReceipt,
  formatSendError,
  formatTimestamp,
  PRODUCER_PARAMETERS,
  parseConsumerCommand,
  parseConsumerParameters,
  parseEndpointPath,
  parseProducerParameters,
  parsePublish,
  parseReceipt,
  parseSessionMessage,
  parseTimestamp,
  parseTopicSelection,
  readSendResult,
  type WebSocketEndpoint,
} from "../../src/websocket/index.ts";

const query = (text: string): URLSearchParams => new URLSearchParams(text);
const badUrl = expect.objectContaining({ name: "ProtocolError", code: "INVALID_WEBSOCKET_URL" });

describe("paths", () => {
  const topic = { domain: "persistent", tenant: "t", namespace: "n", topic: "a/b +ü" } as const;
  const endpoints: WebSocketEndpoint[] = [
    { kind: "producer", ...topic },
    { kind: "reader", ...topic, cluster: "c" },
    { kind: "consumer", ...topic, subscription: "s/1 +" },
    { kind: "consumer", ...topic, cluster: "c", subscription: "s" },
    { kind: "multi-topic-consumer", subscription: "s/1" },
  ];

  it.each(endpoints)("survive formatting: $kind", (endpoint) => {
    expect(parseEndpointPath(formatEndpointPath(endpoint))).toEqual(endpoint);
  });

  it("may hold plain slashes in the topic of a producer or reader, and ignore what follows a v3 subscription", () => {
    expect(parseEndpointPath("/ws/v2/producer/persistent/t/n/a/b")).toMatchObject({ kind: "producer", topic: "a/b" });
    expect(parseEndpointPath("/ws/v3/consumer/s/more")).toMatchObject({
      kind: "multi-topic-consumer",
      subscription: "s",
    });
  });

  it("name the topic", () => {
    expect(endpointTopicName(topic)).toBe("persistent://t/n/a/b +ü");
    expect(endpointTopicName({ ...topic, cluster: "c" })).toBe("persistent://t/c/n/a/b +ü");
  });

  it.each([
    ["/ws", 404],
    ["/ws/v2", 404],
    ["/other", 404],
    ["/ws/v2/chat/persistent/t/n/x", 404],
    ["/ws/v3/producer/s", 404],
    ["/ws/v2/producer", 302],
    ["/ws/v2/consumer/persistent/t/n/x", 400],
    ["/ws/v2/consumer/persistent/t/n/a/b/s", 400],
    ["/ws/v2/consumer/persistent/t/n/x/", 400],
    ["/ws/v2/producer/persistent/t/n", 500],
    ["/ws/v2/reader/remembered/t/n/x", 500],
    ["/ws/v2/producer/persistent/t/n/%zz", 500],
  ])("of no endpoint are refused: %s with %i", (path, status) => {
    expect(parseEndpointPath(path)).toMatchObject({ kind: "refused", status });
  });

  it("of several topics need a list or a pattern, not both", () => {
    expect(parseTopicSelection(query("topics=a, b"))).toEqual({ kind: "topics", topics: ["a", "b"] });
    expect(parseTopicSelection(query("topicsPattern=a.*"))).toEqual({ kind: "pattern", pattern: "a.*" });
    for (const text of ["", "topics=a&topicsPattern=b", "topics=a,,b", "topics=", "topicsPattern="]) {
      expect(parseTopicSelection(query(text))).toBeUndefined();
    }
  });
});

describe("parameters", () => {
  it("survive formatting", () => {
    const values = {
      producerName: "p 1+2",
      initialSequenceId: 2n ** 62n,
      batchingEnabled: true,
      batchingMaxMessages: 5,
    };
    expect(parseProducerParameters(query(formatParameters(PRODUCER_PARAMETERS, values)))).toEqual(values);
  });

  it("are read leniently: first of repeated, unknown ignored, booleans by the word true", () => {
    expect(parseConsumerParameters(query("pullMode=TRUE&x=1&receiverQueueSize=5&receiverQueueSize=x"))).toEqual({
      pullMode: true,
      receiverQueueSize: 5,
    });
    expect(parseConsumerParameters(query("pullMode=yes&cryptoFailureAction=none"))).toEqual({ pullMode: false });
    expect(parseProducerParameters(query("maxPendingMessages=x"))).toEqual({});
  });

  it.each([
    "receiverQueueSize=-1",
    "receiverQueueSize=",
    "receiverQueueSize=2147483648",
    "subscriptionType=shared",
    "subscriptionType=",
    "consumerName=%20",
    "maxRedeliverCount=0",
    "deadLetterTopic=d",
    "ackTimeoutMillis=999",
  ])("of a consumer are refused: %s", (text) => {
    expect(() => parseConsumerParameters(query(text))).toThrow(badUrl);
  });

  it.each([
    "sendTimeoutMillis=-1",
    "batchingEnabled=true&batchingMaxPublishDelay=0",
    "initialSequenceId=9223372036854775808",
    "compressionType=lz4",
  ])("of a producer are refused: %s", (text) => {
    expect(() => parseProducerParameters(query(text))).toThrow(badUrl);
  });

  it("are checked before they are written", () => {
    expect(() => formatParameters(CONSUMER_PARAMETERS, { priorityLevel: 1.5 })).toThrow("priorityLevel");
  });
});

describe("publishes and receipts", () => {
  it("survive formatting", () => {
    const text = formatPublish({
      payload: "aGk=",
      properties: { a: "b" },
      context: "1",
      key: "k",
      eventTime: "2021-10-29T16:01:38.967-07:00",
      deliverAt: 5,
    });
    expect(parsePublish(text)).toEqual({
      kind: "publish",
      payload: Uint8Array.from([104, 105]),
      properties: { a: "b" },
      context: "1",
      key: "k",
      eventTimeMs: 1635548498967,
      deliverAt: 5,
    });
    expect(parseReceipt(formatReceipt("CAAQADAA", "7"))).toEqual({ kind: "ok", messageId: "CAAQADAA", context: "7" });
    expect(parseReceipt(formatSendError(7, "bad", "7"))).toEqual({
      kind: "error",
      code: 7,
      message: "bad",
      context: "7",
    });
    expect(parseReceipt(formatSendError(3, "bad", "7"))).toEqual({ kind: "error", code: 3, message: "bad" });
  });

  it("have results that are ok or a code", () => {
    expect(["ok", "send-error:1", "send-error:8", "send-error:99", "?"].map(readSendResult)).toEqual([
      undefined,
      1,
      8,
      8,
      8,
    ]);
  });

  it.each(["", "[]", "{}", '{"result":1}', '{"result":"ok"}'])("are refused as a receipt: %s", (text) => {
    expect(() => parseReceipt(text)).toThrow(expect.objectContaining({ code: "INVALID_WEBSOCKET_MESSAGE" }));
  });
});

describe("messages and commands of consumers", () => {
  it.each([
    [{ kind: "acknowledge", messageId: "CAAQAw==" }, '{"messageId":"CAAQAw=="}'],
    [{ kind: "negative-acknowledge", messageId: "CAAQAw==" }, '{"type":"negativeAcknowledge","messageId":"CAAQAw=="}'],
    [{ kind: "permit", permitMessages: 100 }, '{"type":"permit","permitMessages":100}'],
    [{ kind: "is-end-of-topic" }, '{"type":"isEndOfTopic"}'],
    [{ kind: "unsubscribe" }, '{"type":"unsubscribe"}'],
  ] as const)("survive formatting: %j", (command, text) => {
    expect(formatConsumerCommand(command)).toBe(text);
    expect(parseConsumerCommand(text)).toEqual(command);
  });

  it.each([
    ["nonsense", 1006],
    ["[]", 1006],
    ['{"type":"permit"}', 1006],
    ['{"messageId":{}}', 1006],
    ["{}", 1011],
    ["null", 1011],
    ['{"type":"Permit","permitMessages":1}', 1011],
    ['{"messageId":"*"}', 1011],
  ])("end the session: %s with %i", (text, closeCode) => {
    expect(parseConsumerCommand(text)).toMatchObject({ kind: "refused", closeCode });
  });

  it("are delivered with all members", () => {
    const message = {
      messageId: "CAMQADAA",
      payload: "aGk=",
      properties: { a: "b" },
      publishTime: "2021-10-29T16:01:38.967-07:00",
      redeliveryCount: 2,
      eventTime: "2021-10-29T16:01:38Z",
      encryptionContext: {
        keys: { k: { keyValue: "AA==", metadata: {} } },
        param: "AA==",
        compressionType: "LZ4",
        uncompressedMessageSize: 9,
        batchSize: null,
      },
      key: "k",
    };
    expect(parseSessionMessage(formatDelivery(message))).toEqual({ kind: "message", message });
    expect(parseSessionMessage(formatEndOfTopic(true))).toEqual({ kind: "end-of-topic", endOfTopic: true });
    expect(parseSessionMessage('{"endOfTopic":"false"}')).toEqual({ kind: "end-of-topic", endOfTopic: false });
  });

  it.each([
    "",
    "1",
    "{}",
    '{"messageId":"a","payload":"b"}',
    '{"messageId":"a","payload":"b","publishTime":"c","encryptionContext":{}}',
  ])("are refused as a delivery: %s", (text) => {
    expect(() => parseSessionMessage(text)).toThrow(expect.objectContaining({ code: "INVALID_WEBSOCKET_MESSAGE" }));
  });
});

describe("timestamps", () => {
  it("are written without trailing zeros of the fraction", () => {
    const base = Date.UTC(2021, 9, 29, 16, 1, 30);
    expect([0, 220, 967].map((ms) => formatTimestamp(base + ms).slice(17))).toEqual(["30Z", "30.22Z", "30.967Z"]);
  });

  it("are read with an offset only", () => {
    expect(parseTimestamp("2021-10-29T16:01:38.9679-07:00")).toBe(1635548498967);
    expect(parseTimestamp("2021-10-29T16:01Z")).toBe(Date.UTC(2021, 9, 29, 16, 1));
    for (const text of ["", "2021-10-29", "2021-10-29T16:01:38", "1635548498967", "2021-13-29T16:01:38Z"]) {
      expect(parseTimestamp(text)).toBeUndefined();
    }
  });
});

it("imports nothing that a browser lacks", () => {
  const folder = new URL("../../src/websocket/", import.meta.url);
  for (const file of readdirSync(folder)) {
    const source = readFileSync(new URL(file, folder), "utf8");
    for (const [, from = ""] of source.matchAll(/ from "([^"]+)"/g)) {
      expect(from).toMatch(/^(\.\/[\w-]+\.ts|\.\.\/errors\.ts|\.\.\/base64\/base64\.ts)$/);
    }
    expect(source).not.toMatch(/\b(Buffer|process|require)\b[.(]/);
  }
});
