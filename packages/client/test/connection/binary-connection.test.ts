import { encodeCommand, encodeSendFrame, ServerError } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import type { ConsumerHandler, ProducerHandler } from "../../src/connection/connection.ts";
import { reactions } from "../util/manual-clock.ts";
import { ConnectionFixture } from "./connection-fixture.ts";

/** Records what it is told. */
function producerHandler(events: unknown[]): ProducerHandler {
  return {
    onSendReceipt: (receipt) => events.push(["receipt", receipt.sequenceId]),
    onSendError: (error) => events.push(["error", error.sequenceId, error.error]),
    onClosedByBroker: (hint) => events.push(["closed by broker", hint]),
    onTopicMigrated: (urls) => events.push(["migrated", urls.brokerServiceUrl]),
    onConnectionClosed: (error) => events.push(["connection closed", error.code]),
  };
}

function consumerHandler(events: unknown[]): ConsumerHandler {
  return {
    onMessage: (message, buffer, start, end) =>
      events.push(["message", message.messageId.entryId, Buffer.from(buffer.subarray(start, end))]),
    onActiveConsumerChange: (isActive) => events.push(["active", isActive]),
    onReachedEndOfTopic: () => events.push(["end of topic"]),
    onClosedByBroker: (hint) => events.push(["closed by broker", hint]),
    onTopicMigrated: (urls) => events.push(["migrated", urls.brokerServiceUrl]),
    onConnectionClosed: (error) => events.push(["connection closed", error.code]),
  };
}

describe("requests", () => {
  it("are answered by id, in whatever order the answers come", async () => {
    const { connection, broker } = await ConnectionFixture.open();
    const first = connection.request("PARTITIONED_METADATA", { topic: "a" });
    const second = connection.request("PARTITIONED_METADATA", { topic: "b" });
    await reactions();
    const [a, b] = broker.peer.commands("PARTITIONED_METADATA");
    expect(a?.requestId).not.toBe(b?.requestId);
    broker.peer.send("PARTITIONED_METADATA_RESPONSE", { requestId: b?.requestId ?? -2, partitions: 2, response: 0 });
    broker.peer.send("PARTITIONED_METADATA_RESPONSE", { requestId: a?.requestId ?? -2, partitions: 1, response: 0 });
    expect([(await first).partitions, (await second).partitions]).toEqual([1, 2]);
  });

  it("reject with the typed error of an ERROR, and say what it is about", async () => {
    const { connection, broker } = await ConnectionFixture.open();
    const body = { topic: "t", producerId: 0 };
    const request = connection.request("PRODUCER", body, { topic: "t", producerName: "p" });
    await reactions();
    const { requestId } = broker.peer.last("PRODUCER");
    broker.peer.send("ERROR", { requestId, error: ServerError.ProducerBusy, message: "NamingException" });
    await expect(request).rejects.toMatchObject({
      code: "PRODUCER_BUSY",
      serverError: "ProducerBusy",
      message: "NamingException",
      topic: "t",
      producerName: "p",
    });
  });

  it("reject with the typed error inside an answer", async () => {
    const { connection, broker } = await ConnectionFixture.open();
    const request = connection.request("GET_SCHEMA", { topic: "t" });
    await reactions();
    const { requestId } = broker.peer.last("GET_SCHEMA");
    broker.peer.send("GET_SCHEMA_RESPONSE", { requestId, errorCode: ServerError.TopicNotFound, errorMessage: "gone" });
    await expect(request).rejects.toMatchObject({ code: "TOPIC_NOT_FOUND", message: "gone" });
  });

  it("keep a ServerError that this release does not know", async () => {
    const { connection, broker } = await ConnectionFixture.open();
    const request = connection.request("LOOKUP", { topic: "t" });
    await reactions();
    broker.peer.send("ERROR", { requestId: broker.peer.last("LOOKUP").requestId, error: 99, message: "" });
    await expect(request).rejects.toMatchObject({
      code: "UNKNOWN_SERVER_ERROR",
      serverError: "UnknownServerError(99)",
    });
  });

  it("time out, and ignore the answer that comes too late", async () => {
    const { connection, broker, clock } = await ConnectionFixture.open();
    const request = connection.request("LOOKUP", { topic: "t" }, { timeoutMs: 500 });
    request.catch(() => {});
    await clock.advance(500);
    await expect(request).rejects.toMatchObject({ code: "TIMEOUT" });
    broker.peer.send("LOOKUP_RESPONSE", { requestId: broker.peer.last("LOOKUP").requestId, response: 1 });
    expect(connection.isOpen).toBe(true);
  });

  it("end with the signal's reason", async () => {
    const { connection, broker, clock } = await ConnectionFixture.open();
    const timers = clock.pendingTimers;
    const abort = new AbortController();
    const request = connection.request("LOOKUP", { topic: "t" }, { signal: abort.signal });
    request.catch(() => {});
    await reactions();
    abort.abort(new Error("enough"));
    await expect(request).rejects.toThrow("enough");
    expect(clock.pendingTimers).toBe(timers);
    await expect(connection.request("LOOKUP", { topic: "t" }, { signal: abort.signal })).rejects.toThrow("enough");
    expect(broker.peer.commands("LOOKUP")).toHaveLength(1);
  });

  it("reject when the connection is lost, and afterwards", async () => {
    const { connection, broker } = await ConnectionFixture.open();
    const request = connection.request("LOOKUP", { topic: "t" }, { topic: "t" });
    request.catch(() => {});
    broker.peer.close(new Error("read ECONNRESET"));
    await expect(request).rejects.toMatchObject({ code: "NOT_CONNECTED", message: /ECONNRESET/, topic: "t" });
    await expect(connection.request("LOOKUP", { topic: "t" })).rejects.toMatchObject({ code: "NOT_CONNECTED" });
  });

  it("close the connection when the answer is of another kind", async () => {
    const { connection, broker, ends } = await ConnectionFixture.open();
    const request = connection.request("LOOKUP", { topic: "t" });
    request.catch(() => {});
    await reactions();
    broker.peer.send("SUCCESS", { requestId: broker.peer.last("LOOKUP").requestId });
    expect(ends[0]).toMatchObject({ code: "CONNECT", message: /answered LOOKUP with SUCCESS/ });
    await expect(request).rejects.toMatchObject({ code: "NOT_CONNECTED" });
  });

  it("wait without a deadline while the broker queues a producer", async () => {
    const { connection, broker, clock } = await ConnectionFixture.open();
    let queued = 0;
    const onQueued = (): void => void queued++;
    const request = connection.request("PRODUCER", { topic: "t", producerId: 0 }, { onQueued, timeoutMs: 1000 });
    await reactions();
    const { requestId } = broker.peer.last("PRODUCER");
    broker.peer.send("PRODUCER_SUCCESS", { requestId, producerName: "p", producerReady: false });
    await clock.advance(20_000);
    broker.peer.send("PRODUCER_SUCCESS", { requestId, producerName: "p", producerReady: true, topicEpoch: 3 });
    expect(await request).toMatchObject({ producerName: "p", topicEpoch: 3 });
    expect(queued).toBe(1);
  });

  it("give bytes that outlive the chunk they came in", async () => {
    const { connection, broker } = await ConnectionFixture.open();
    const request = connection.request("PRODUCER", { topic: "t", producerId: 0 });
    await reactions();
    const { requestId } = broker.peer.last("PRODUCER");
    const schemaVersion = Buffer.from([0, 0, 0, 0, 0, 0, 0, 7]);
    const chunk = encodeCommand("PRODUCER_SUCCESS", { requestId, producerName: "p", schemaVersion });
    broker.peer.sendBytes(chunk);
    chunk.fill(0xff);
    expect(Buffer.from((await request).schemaVersion ?? [])).toEqual(schemaVersion);
  });
});

describe("dispatch", () => {
  it("hands a producer what is for its id", async () => {
    const { connection, broker } = await ConnectionFixture.open();
    const events: unknown[] = [];
    connection.attachProducer(7, producerHandler(events));
    broker.peer.send("SEND_RECEIPT", { producerId: 7, sequenceId: 3, messageId: { ledgerId: 1, entryId: 2 } });
    broker.peer.send("SEND_RECEIPT", { producerId: 8, sequenceId: 4 });
    broker.peer.send("SEND_ERROR", { producerId: 7, sequenceId: 5, error: 2, message: "disk" });
    broker.peer.send("TOPIC_MIGRATED", { resourceId: 7, resourceType: 0, brokerServiceUrl: "pulsar://new:6650" });
    broker.peer.send("CLOSE_PRODUCER", { producerId: 7, requestId: -1, assignedBrokerServiceUrl: "pulsar://b:6650" });
    broker.peer.send("SEND_RECEIPT", { producerId: 7, sequenceId: 6 });
    expect(events).toEqual([
      ["receipt", 3],
      ["error", 5, 2],
      ["migrated", "pulsar://new:6650"],
      ["closed by broker", { brokerServiceUrl: "pulsar://b:6650", brokerServiceUrlTls: undefined }],
    ]);
  });

  it("hands a consumer what is for its id, with a payload that may be kept", async () => {
    const { connection, broker } = await ConnectionFixture.open();
    const events: unknown[] = [];
    connection.attachConsumer(2, consumerHandler(events));
    broker.peer.send("ACTIVE_CONSUMER_CHANGE", { consumerId: 2, isActive: true });
    broker.peer.send("REACHED_END_OF_TOPIC", { consumerId: 2 });
    broker.peer.send("CLOSE_CONSUMER", { consumerId: 2, requestId: -1 });
    broker.peer.send("REACHED_END_OF_TOPIC", { consumerId: 2 });
    expect(events).toEqual([["active", true], ["end of topic"], ["closed by broker", undefined]]);
  });

  it("goes on after a handler that throws", async () => {
    const { connection, broker, logged } = await ConnectionFixture.open();
    const events: unknown[] = [];
    const handler = producerHandler(events);
    connection.attachProducer(1, {
      ...handler,
      onSendReceipt: () => {
        throw new Error("a defect");
      },
    });
    broker.peer.send("SEND_RECEIPT", { producerId: 1, sequenceId: 0 });
    broker.peer.send("SEND_ERROR", { producerId: 1, sequenceId: 1, error: 0, message: "" });
    expect(events).toEqual([["error", 1, 0]]);
    expect(logged).toHaveLength(1);
    expect(connection.isOpen).toBe(true);
  });

  it("tells every handler of the end once, also when one of them throws", async () => {
    const { connection, broker } = await ConnectionFixture.open();
    const events: unknown[] = [];
    connection.attachProducer(1, {
      ...producerHandler([]),
      onConnectionClosed: () => {
        throw new Error("a defect");
      },
    });
    connection.attachProducer(2, producerHandler(events));
    connection.attachConsumer(1, consumerHandler(events));
    broker.peer.close();
    connection.close();
    expect(events).toEqual([
      ["connection closed", "NOT_CONNECTED"],
      ["connection closed", "NOT_CONNECTED"],
    ]);
  });

  it.each([
    ["CONNECTED", encodeCommand("CONNECTED", { serverVersion: "again" })],
    ["FLOW", encodeCommand("FLOW", { consumerId: 1, messagePermits: 1 })],
    ["LOOKUP", encodeCommand("LOOKUP", { topic: "t", requestId: 1 })],
    [
      "SEND",
      encodeSendFrame(
        { producerId: 1, sequenceId: 0 },
        { producerName: "p", sequenceId: 0, publishTime: 0 },
        Buffer.from("x"),
      ),
    ],
  ])("closes the connection for a %s from the broker", async (_type, frame) => {
    const { broker, ends } = await ConnectionFixture.open();
    broker.peer.sendBytes(frame);
    expect(ends[0]).toMatchObject({ code: "CONNECT", message: /broke the protocol/ });
    expect(broker.peer.isDestroyed).toBe(true);
  });
});

describe("writing", () => {
  it("sends the frames of one tick together", async () => {
    const { connection, broker } = await ConnectionFixture.open();
    const before = broker.peer.flushes;
    for (let id = 1; id <= 10; id++) connection.write(encodeCommand("FLOW", { consumerId: id, messagePermits: 1 }));
    await Promise.resolve();
    connection.write(encodeCommand("FLOW", { consumerId: 11, messagePermits: 1 }));
    await reactions();
    expect(broker.peer.commands("FLOW").map(({ consumerId }) => consumerId)).toEqual([
      1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11,
    ]);
    expect(broker.peer.flushes).toBeLessThanOrEqual(before + 2);
  });

  it("drops frames after the end", async () => {
    const { connection, broker } = await ConnectionFixture.open();
    connection.close();
    expect(connection.write(encodeCommand("PING", {}))).toBe(true);
    await reactions();
    expect(broker.peer.commands("PING")).toHaveLength(0);
  });
});

describe("keep-alive", () => {
  it("answers PING at once", async () => {
    const { broker } = await ConnectionFixture.open();
    broker.peer.send("PING", {});
    await reactions();
    expect(broker.peer.commands("PONG")).toHaveLength(1);
  });

  it("pings a silent peer and gives it up an interval later", async () => {
    const { broker, clock, ends } = await ConnectionFixture.open();
    await clock.advance(30_000);
    expect(broker.peer.commands("PING")).toHaveLength(1);
    await clock.advance(29_999);
    expect(ends).toEqual([]);
    await clock.advance(1);
    expect(ends[0]).toMatchObject({ code: "NOT_CONNECTED", message: /silent/ });
  });

  it("takes any frame for life", async () => {
    const { broker, clock, ends } = await ConnectionFixture.open();
    for (let round = 0; round < 5; round++) {
      await clock.advance(30_000);
      broker.peer.send("SEND_RECEIPT", { producerId: 1, sequenceId: round });
    }
    expect(ends).toEqual([]);
    expect(broker.peer.commands("PING")).toHaveLength(5);
  });
});

describe("PING", () => {
  it("is not answered while more than 1 MiB waits for a peer that does not read", async () => {
    const { broker } = await ConnectionFixture.open();
    broker.peer.queuedBytes = 1024 * 1024;
    for (let count = 0; count < 1000; count++) broker.peer.send("PING", {});
    await reactions();
    expect(broker.peer.commands("PONG")).toHaveLength(0);
    broker.peer.queuedBytes = 0;
    broker.peer.send("PING", {});
    await reactions();
    expect(broker.peer.commands("PONG")).toHaveLength(1);
  });
});

describe("closing", () => {
  it("leaves no timer, whatever was pending", async () => {
    const { connection, clock, broker, ends } = await ConnectionFixture.open();
    const request = connection.request("LOOKUP", { topic: "t" });
    request.catch(() => {});
    connection.close();
    connection.close();
    await expect(request).rejects.toMatchObject({ code: "ALREADY_CLOSED" });
    expect(clock.pendingTimers).toBe(0);
    expect(broker.peer.isDestroyed).toBe(true);
    expect(ends).toHaveLength(1);
  });

  it("ends an attempt that is under way", async () => {
    const fixture = new ConnectionFixture();
    fixture.broker.connected = undefined;
    const opened = fixture.connection.open();
    opened.catch(() => {});
    await reactions();
    fixture.connection.close();
    await expect(opened).rejects.toMatchObject({ code: "ALREADY_CLOSED" });
    expect(fixture.clock.pendingTimers).toBe(0);
  });
});
