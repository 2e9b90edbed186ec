import { type CommandGetLastMessageIdResponse, MessageId } from "@pulsewire/protocol";
import { describe, expect, it } from "vitest";
import type { Reader } from "../../src/reader/reader.ts";
import { FakeConsumerBroker, nth, outcome } from "../consumer/consumer-fixture.ts";
import { batch, chunk, damaged, single, texts } from "../consumer/entries.ts";
import { reactions } from "../util/manual-clock.ts";

/** Lets the broker say which message is the last one. */
function setLast(
  broker: FakeConsumerBroker,
  last: Partial<CommandGetLastMessageIdResponse["lastMessageId"]>,
  markDelete?: number,
): void {
  const prepare = broker.prepare;
  const set = (connection: FakeConsumerBroker["connection"]): void => {
    connection.answers.set("GET_LAST_MESSAGE_ID", () => ({
      lastMessageId: { ledgerId: 1, entryId: -1, ...last },
      consumerMarkDeletePosition: markDelete === undefined ? undefined : { ledgerId: 1, entryId: markDelete },
    }));
  };
  for (const connection of broker.connections) set(connection);
  broker.prepare = (connection) => {
    prepare(connection);
    set(connection);
  };
}

async function readAll(reader: Reader<string>): Promise<(string | null)[]> {
  const values: (string | null)[] = [];
  while (await reader.hasMessageAvailable()) values.push((await reader.readNext()).value);
  return values;
}

const ID = MessageId.of({ ledgerId: 1, entryId: 1 });
const IN_BATCH = MessageId.of({ ledgerId: 1, entryId: 1, batchIndex: 1, batchSize: 3 });

describe("the reader's SUBSCRIBE", () => {
  it("is exclusive and not durable, with a name of its own", async () => {
    const broker = new FakeConsumerBroker();
    await broker.read({ readerName: "me" });
    expect(broker.connection.subscribes[0]).toMatchObject({
      subscription: "reader-0000000000",
      subType: 0,
      durable: false,
      consumerName: "me",
      consumerEpoch: 0,
    });
    await broker.read({ subscriptionRolePrefix: "role" });
    expect(broker.connection.subscribes[0]?.subscription).toBe("role-reader-0000000000");
    await broker.read({ subscriptionName: "mine" });
    expect(broker.connection.subscribes[0]?.subscription).toBe("mine");
  });

  it.each([
    ["earliest", { ledgerId: -1, entryId: -1 }],
    ["latest", { ledgerId: 9223372036854775807n, entryId: 9223372036854775807n }],
    [ID, { ledgerId: 1, entryId: 1 }],
    [IN_BATCH, { ledgerId: 1, entryId: 1, batchIndex: 1 }],
    [
      MessageId.of({ ledgerId: 1, entryId: 5, firstChunkMessageId: { ledgerId: 1, entryId: 3 } }),
      { ledgerId: 1, entryId: 3 },
    ],
  ] as const)("begins at %s", async (startMessageId, expected) => {
    const broker = new FakeConsumerBroker();
    await broker.read({ startMessageId });
    expect(broker.connection.subscribes[0]?.startMessageId).toEqual(expected);
  });

  it("names the rollback in whole seconds, the first time only once something was read", async () => {
    const broker = new FakeConsumerBroker();
    const reader = await broker.read({ startMessageId: undefined, startMessageFromRollbackDurationMs: 1500 });
    expect(broker.connection.subscribes[0]?.startMessageRollbackDurationSec).toBe(2);
    broker.connection.deliver(single(4, "a"));
    await reader.readNext();
    broker.connection.close();
    const connection = await broker.reconnect();
    expect(connection.subscribes[0]).toMatchObject({
      startMessageRollbackDurationSec: undefined,
      startMessageId: { ledgerId: 1, entryId: 4 },
    });
  });

  it("needs a start, and one only; every problem is listed", async () => {
    const broker = new FakeConsumerBroker();
    await expect(broker.read({ startMessageId: undefined })).rejects.toMatchObject({ code: "INVALID_CONFIGURATION" });
    const both = broker.read({ startMessageFromRollbackDurationMs: 5, receiverQueueSize: 0 });
    await expect(both).rejects.toMatchObject({
      problems: [{ option: "startMessageId" }, { option: "receiverQueueSize", given: "0" }],
    });
  });
});

describe("what a reader reads", () => {
  it.each([
    [ID, false, ["c0", "c1"]],
    [ID, true, ["b0", "b1", "b2", "c0", "c1"]],
    [IN_BATCH, false, ["b2", "c0", "c1"]],
    [IN_BATCH, true, ["b1", "b2", "c0", "c1"]],
  ])("begins at %s, inclusive %s", async (startMessageId, startMessageIdInclusive, expected) => {
    const broker = new FakeConsumerBroker();
    const reader = await broker.read({ startMessageId, startMessageIdInclusive, receiverQueueSize: 8 });
    // A broker may begin an entry too early when the start is inside a batch.
    broker.connection.deliver(batch(0, texts("a", 2)), batch(1, texts("b", 3)), batch(2, texts("c", 2)));
    const values: (string | null)[] = [];
    for (const _ of expected) values.push((await reader.readNext()).value);
    expect(values).toEqual(expected);
    expect(await outcome(reader.readNext({ timeoutMs: 0 }))).toBe("pending");
    expect(broker.connection.permits).toBeGreaterThan(0);
    await reader.close();
  });

  it("is acknowledged cumulatively, grouped", async () => {
    const broker = new FakeConsumerBroker();
    const reader = await broker.read();
    broker.connection.deliver(single(0, "a"), batch(1, texts("b", 4)));
    for (let count = 0; count < 3; count++) await reader.readNext();
    await broker.clock.advance(100);
    // 12: indexes 2 and 3 of 4 are left.
    expect(broker.connection.acked).toEqual(["<=1:1[12]"]);
  });

  it("is iterated until the close", async () => {
    const broker = new FakeConsumerBroker();
    const reader = await broker.read();
    const seen: (string | null)[] = [];
    const loop = (async () => {
      for await (const message of reader) seen.push(message.value);
    })();
    broker.connection.deliver(single(0, "a"), batch(1, texts("b", 2)));
    await reactions();
    await broker.clock.advance(100);
    await reader.close();
    await loop;
    expect(seen).toEqual(["a", "b0", "b1"]);
    expect(broker.connection.acked).toEqual(["<=1:1"]);
    expect(broker.closedConsumers).toBe(1);
  });
});

describe("a reader after a reconnect", () => {
  it("goes on behind the last message it handed out, inside a batch too", async () => {
    const broker = new FakeConsumerBroker();
    const reader = await broker.read({ receiverQueueSize: 10 });
    broker.connection.deliver(batch(0, texts("a", 4)));
    await reader.readNext();
    await reader.readNext();
    broker.connection.close();
    const connection = await broker.reconnect();
    expect(connection.subscribes[0]?.startMessageId).toEqual({ ledgerId: 1, entryId: 0, batchIndex: 2 });
    connection.deliver(batch(0, texts("a", 4)), single(1, "b"));
    expect((await reader.readNext()).value).toBe("a2");
    expect((await reader.readNext()).value).toBe("a3");
    expect((await reader.readNext()).value).toBe("b");
  });

  it("goes on with what was fetched but not read, from latest too", async () => {
    const broker = new FakeConsumerBroker();
    const reader = await broker.read({ startMessageId: "latest" });
    broker.connection.deliver(single(7, "a"), single(8, "b"));
    broker.connection.close();
    const connection = await broker.reconnect();
    expect(connection.subscribes[0]?.startMessageId).toEqual({ ledgerId: 1, entryId: 7 });
    connection.deliver(single(7, "a"), single(8, "b"));
    expect((await reader.readNext()).value).toBe("a");
  });

  it("keeps its start when nothing has arrived", async () => {
    const broker = new FakeConsumerBroker();
    await broker.read({ startMessageId: ID });
    broker.connection.close();
    const connection = await broker.reconnect();
    expect(connection.subscribes[0]?.startMessageId).toEqual({ ledgerId: 1, entryId: 1 });
  });

  // B65
  it("goes back to the first chunk of an incomplete message, and reads nothing twice", async () => {
    const broker = new FakeConsumerBroker();
    const reader = await broker.read();
    const parts = ["x", "y"];
    const entries = [single(0, "a"), chunk(1, "u", 0, parts), single(2, "b"), chunk(3, "u", 1, parts)];
    broker.connection.deliver(...entries.slice(0, 3));
    expect((await reader.readNext()).value).toBe("a");
    expect((await reader.readNext()).value).toBe("b");
    broker.connection.close();
    const connection = await broker.reconnect();
    expect(connection.subscribes[0]?.startMessageId).toEqual({ ledgerId: 1, entryId: 1 });
    connection.deliver(...entries.slice(1));
    expect((await reader.readNext()).value).toBe("xy");
  });

  it("goes back to the first chunk of the message that comes next, also with a younger one incomplete", async () => {
    const broker = new FakeConsumerBroker();
    const reader = await broker.read();
    const parts = ["x", "y"];
    const entries = [chunk(1, "u", 0, parts), chunk(3, "v", 0, parts), chunk(6, "u", 1, parts)];
    broker.connection.deliver(...entries);
    broker.connection.close();
    const connection = await broker.reconnect();
    expect(connection.subscribes[0]?.startMessageId).toEqual({ ledgerId: 1, entryId: 1 });
    connection.deliver(...entries);
    expect((await reader.readNext()).value).toBe("xy");
  });

  it("goes back to the first chunk of any message that waits behind the next one", async () => {
    const broker = new FakeConsumerBroker();
    const reader = await broker.read();
    const parts = ["x", "y"];
    const entries = [chunk(1, "u", 0, parts), single(2, "a"), chunk(3, "u", 1, parts)];
    broker.connection.deliver(...entries);
    broker.connection.close();
    const connection = await broker.reconnect();
    expect(connection.subscribes[0]?.startMessageId).toEqual({ ledgerId: 1, entryId: 1 });
    connection.deliver(...entries);
    expect((await reader.readNext()).value).toBe("a");
    expect((await reader.readNext()).value).toBe("xy");
  });
});

describe("a reader that seeks", () => {
  it("acknowledges nothing of the old place afterwards, however a message and the move come together", async () => {
    const broker = new FakeConsumerBroker();
    const reader = await broker.read();
    const { connection } = broker;
    connection.answers.set("SEEK", () => new Promise(() => {}));
    const read = reader.readNext();
    void reader.seek(MessageId.earliest);
    await reactions();
    // In one piece of the stream, so that nothing of the reader runs in between.
    connection.deliver(single(9, "old"));
    connection.closeConsumer();
    expect((await read).value).toBe("old");
    await reactions();
    broker.connection.deliver(single(0, "first"));
    expect((await reader.readNext()).value).toBe("first");
    await broker.clock.advance(100);
    expect(broker.connection.acked).toEqual(["<=1:0"]);
  });

  it("to a time and loses its connection filters from there on, up to the first message of that time", async () => {
    const broker = new FakeConsumerBroker();
    const reader = await broker.read();
    await reader.seek({ timestamp: 1000 });
    broker.connection.close();
    const connection = await broker.reconnect();
    const at = (publishTime: number): { readonly metadata: { readonly publishTime: number } } => ({
      metadata: { publishTime },
    });
    connection.deliver(single(0, "before", at(900)), single(1, "after", at(1000)), single(2, "slow", at(990)));
    expect((await reader.readNext()).value).toBe("after");
    expect((await reader.readNext()).value).toBe("slow");
  });

  it("is given up at its beginning when the caller does so", async () => {
    const broker = new FakeConsumerBroker();
    setLast(broker, { entryId: 4 });
    broker.prepare = ((prepare) => (connection: FakeConsumerBroker["connection"]) => {
      prepare(connection);
      connection.answers.set("SEEK", () => new Promise(() => {}));
    })(broker.prepare);
    const abort = new AbortController();
    const options = { startMessageId: "latest", startMessageIdInclusive: true } as const;
    const made = broker.read(options, abort.signal);
    await reactions();
    expect(broker.connection.log).toContain("SEEK");
    abort.abort(new Error("enough"));
    await expect(made).rejects.toThrow("enough");
    expect(broker.connection.log.at(-1)).toBe("CLOSE_CONSUMER");
  });
});

// B63
describe("hasMessageAvailable", () => {
  const topics = {
    empty: { entries: [], last: {} },
    one: { entries: [single(0, "a")], last: { entryId: 0 } },
    batch: { entries: [batch(0, texts("a", 3))], last: { entryId: 0, batchIndex: 2, batchSize: 3 } },
    "tombstone last": {
      entries: [single(0, "a"), single(1, "", { metadata: { nullValue: true } })],
      last: { entryId: 1 },
    },
    "compacted batch": {
      entries: [batch(0, ["a", "b"], { singles: [{}, { compactedOut: true }] })],
      last: { entryId: 0, batchIndex: 1, batchSize: 2 },
    },
    "damaged last": { entries: [single(0, "a"), damaged(single(1, "b"))], last: { entryId: 1 } },
  } as const;

  it.each([
    ["empty", []],
    ["one", ["a"]],
    ["batch", ["a0", "a1", "a2"]],
    ["tombstone last", ["a", null]],
    ["compacted batch", ["a"]],
    ["damaged last", ["a"]],
  ] as const)("ends a loop from earliest over a topic: %s", async (name, expected) => {
    const broker = new FakeConsumerBroker();
    const { entries, last } = topics[name];
    setLast(broker, last);
    const reader = await broker.read();
    if (expected.length > 0) expect(await reader.hasMessageAvailable()).toBe(true);
    broker.connection.deliver(...entries);
    expect(await readAll(reader)).toEqual(expected);
  });

  it("asks the broker when nothing is queued, and not when something is", async () => {
    const broker = new FakeConsumerBroker();
    setLast(broker, { entryId: 5 });
    const reader = await broker.read();
    broker.connection.deliver(single(0, "a"));
    expect(await reader.hasMessageAvailable()).toBe(true);
    expect(broker.connection.log).not.toContain("GET_LAST_MESSAGE_ID");
    await reader.readNext();
    for (let round = 0; round < 3; round++) expect(await reader.hasMessageAvailable()).toBe(true);
    // The last message known is still ahead.
    expect(broker.connection.log.filter((type) => type === "GET_LAST_MESSAGE_ID")).toHaveLength(1);
  });

  it.each([
    ["the only message, exclusive", ID, false, { entryId: 1 }, false],
    ["the only message, inclusive", ID, true, { entryId: 1 }, true],
    ["a whole batch, exclusive", ID, false, { entryId: 1, batchIndex: 2 }, false],
    ["a whole batch, inclusive", ID, true, { entryId: 1, batchIndex: 2 }, true],
    ["inside a batch", IN_BATCH, false, { entryId: 1, batchIndex: 2 }, true],
    ["the last of a batch, exclusive", IN_BATCH, false, { entryId: 1, batchIndex: 1 }, false],
    ["the last of a batch, inclusive", IN_BATCH, true, { entryId: 1, batchIndex: 1 }, true],
    ["a message that was deleted", MessageId.of({ ledgerId: 1, entryId: 9 }), true, { entryId: 3 }, false],
    ["an empty topic", ID, true, {}, false],
    ["an older ledger", MessageId.of({ ledgerId: 0, entryId: 9 }), false, { entryId: 0 }, true],
  ] as const)("from %s", async (_, startMessageId, startMessageIdInclusive, last, expected) => {
    const broker = new FakeConsumerBroker();
    setLast(broker, last);
    const reader = await broker.read({ startMessageId, startMessageIdInclusive });
    expect(await reader.hasMessageAvailable()).toBe(expected);
  });

  it.each([
    ["nothing new", 3, false],
    ["something new", 4, true],
    ["an empty topic", -1, false],
  ])("from latest compares with the position of the cursor: %s", async (_, entryId, expected) => {
    const broker = new FakeConsumerBroker();
    setLast(broker, { entryId }, 3);
    const reader = await broker.read({ startMessageId: "latest" });
    expect(await reader.hasMessageAvailable()).toBe(expected);
  });

  it("from latest inclusive reads the last message, which the reader has sought at the start", async () => {
    const broker = new FakeConsumerBroker();
    setLast(broker, { entryId: 4, batchIndex: 2, batchSize: 3 }, 4);
    const reader = await broker.read({ startMessageId: "latest", startMessageIdInclusive: true });
    expect(nth(broker.connection.requests, -1)).toMatchObject({
      type: "SEEK",
      body: { messageId: { ledgerId: 1, entryId: 4, ackSet: [4] } },
    });
    expect(await reader.hasMessageAvailable()).toBe(true);
    broker.connection.deliver(batch(4, texts("a", 3), { ackSet: [4], charged: 1 }));
    expect(await readAll(reader)).toEqual(["a2"]);
  });

  it("from latest inclusive on an empty topic waits for the first message", async () => {
    const broker = new FakeConsumerBroker();
    setLast(broker, {});
    const reader = await broker.read({ startMessageId: "latest", startMessageIdInclusive: true });
    expect(await reader.hasMessageAvailable()).toBe(false);
    broker.connection.deliver(single(0, "a"));
    expect(await reader.hasMessageAvailable()).toBe(true);
  });

  it("after a seek to a time compares with the position of the cursor", async () => {
    const broker = new FakeConsumerBroker();
    setLast(broker, { entryId: 3 }, 3);
    const reader = await broker.read();
    expect(await reader.hasMessageAvailable()).toBe(true);
    await reader.seek({ timestamp: 2_000_000_000_000 });
    expect(await reader.hasMessageAvailable()).toBe(false);
    setLast(broker, { entryId: 3 }, 1);
    expect(await reader.hasMessageAvailable()).toBe(true);
  });

  it("after a seek back is true again", async () => {
    const broker = new FakeConsumerBroker();
    setLast(broker, { entryId: 0 });
    const reader = await broker.read();
    broker.connection.deliver(single(0, "a"));
    expect(await readAll(reader)).toEqual(["a"]);
    await reader.seek(MessageId.earliest);
    expect(await reader.hasMessageAvailable()).toBe(true);
    broker.connection.deliver(single(0, "a"));
    expect(await readAll(reader)).toEqual(["a"]);
  });

  it("is false after a reconnect that begins before the last message read, with an incomplete chunked one", async () => {
    const broker = new FakeConsumerBroker();
    setLast(broker, { entryId: 2 });
    const reader = await broker.read();
    const entries = [single(0, "a"), chunk(1, "u", 0, ["x", "y"]), single(2, "b")];
    broker.connection.deliver(...entries);
    await readAll(reader);
    broker.connection.close();
    const connection = await broker.reconnect();
    connection.deliver(...entries.slice(1, 2));
    expect(await reader.hasMessageAvailable()).toBe(false);
  });

  it("rejects once the reader is closed", async () => {
    const broker = new FakeConsumerBroker();
    const reader = await broker.read();
    await reader.close();
    await expect(reader.hasMessageAvailable()).rejects.toMatchObject({ code: "ALREADY_CLOSED" });
    await expect(reader.readNext()).rejects.toMatchObject({ code: "ALREADY_CLOSED" });
    await expect(reader.seek(MessageId.earliest)).rejects.toMatchObject({ code: "ALREADY_CLOSED" });
  });
});
