import { describe, expect, it } from "vitest";
import { MessageId, type MessageIdFields } from "../../src/message-id/message-id.ts";
import { knownAnswers, type MessageIdAnswer } from "../vectors/known-answers.ts";

function fieldsOf(answer: MessageIdAnswer): MessageIdFields {
  const first = answer.first_chunk;
  return {
    ledgerId: BigInt(answer.ledgerId),
    entryId: BigInt(answer.entryId),
    partitionIndex: answer.partition,
    batchIndex: answer.batch_index,
    batchSize: answer.batch_size,
    ...(first === undefined
      ? {}
      : {
          firstChunkMessageId: {
            ledgerId: BigInt(first.ledgerId),
            entryId: BigInt(first.entryId),
            partitionIndex: first.partition,
          },
        }),
  };
}

const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));

describe.each(knownAnswers.message_ids)("the id $what", (answer) => {
  const id = MessageId.of(fieldsOf(answer));

  it("has the bytes, the base64 and the text of the Java client", () => {
    expect(Buffer.from(id.toBytes()).toString("hex")).toBe(answer.java_bytes_hex);
    expect(id.toBase64()).toBe(answer.java_base64);
    expect(id.toString()).toBe(answer.java_toString);
  });

  it("is read back from them", () => {
    expect(MessageId.fromBytes(bytesOf(answer.java_bytes_hex))).toEqual(id);
    expect(MessageId.fromBase64(answer.java_base64)).toEqual(id);
    const parsed = MessageId.parse(answer.java_toString);
    expect(parsed.equals(id)).toBe(true);
    expect(parsed.toString()).toBe(answer.java_toString);
  });

  it("shows 64-bit parts as bigints", () => {
    expect(id.ledgerId).toBe(BigInt(answer.ledgerId));
    expect(id.entryId).toBe(BigInt(answer.entryId));
  });

  it("is read from the bytes of the Go and the C++ client", () => {
    for (const hex of [answer.go_bytes_hex, answer.cpp_bytes_hex]) {
      if (hex === undefined) continue;
      const read = MessageId.fromBytes(bytesOf(hex));
      expect(read.toString()).toBe(answer.java_toString);
      expect(read.equals(id)).toBe(true);
    }
  });

  it("survives JSON", () => {
    expect(MessageId.fromJSON(JSON.parse(JSON.stringify(id)))).toEqual(id);
    const named = id.withTopic("persistent://public/default/t-partition-0");
    expect(MessageId.fromJSON(JSON.parse(JSON.stringify(named)))).toEqual(named);
  });
});

describe("MessageId", () => {
  it("reads the ids of the WebSocket API, with and without padding, also the older form", () => {
    for (const { base64, hex } of knownAnswers.websocket_message_ids) {
      expect(MessageId.fromBase64(base64)).toEqual(MessageId.fromBytes(bytesOf(hex)));
      expect(MessageId.fromBase64(base64.replace(/=+$/, ""))).toEqual(MessageId.fromBytes(bytesOf(hex)));
    }
    expect(MessageId.fromBase64("CAAQAw==").toString()).toBe("0:3:-1");
  });

  it("reads the text of the C++ client", () => {
    expect(MessageId.parse("(10,2,-1,4)").toString()).toBe("10:2:-1:4");
    expect(MessageId.parse("10:2").toString()).toBe("10:2:-1");
  });

  it("orders by ledger, entry, partition and batch index as signed numbers", () => {
    const texts = ["-1:-1:-1", "0:0:-1", "0:0:0", "0:0:0:0", "0:0:0:1", "0:1:-1", "2:0:-1", "9007199254740993:0:-1"];
    const ids = [...texts.map((text) => MessageId.parse(text)), MessageId.latest];
    for (const [i, a] of ids.entries()) {
      for (const [j, b] of ids.entries()) {
        expect(Math.sign(a.compareTo(b))).toBe(Math.sign(i - j));
        expect(a.equals(b)).toBe(i === j);
        expect(a.isBefore(b)).toBe(i < j);
        expect(a.isAfter(b)).toBe(i > j);
      }
    }
    expect(ids[0]?.equals(MessageId.earliest)).toBe(true);
  });

  it("leaves the topic's name out of bytes, text and equality", () => {
    const named = MessageId.parse("1:2:3").withTopic("t");
    expect(named.topic).toBe("t");
    expect(named.equals(MessageId.parse("1:2:3"))).toBe(true);
    expect(named.toString()).toBe("1:2:3");
    expect(MessageId.fromBytes(named.toBytes()).topic).toBeUndefined();
    expect(named.withTopic(undefined).topic).toBeUndefined();
  });

  it("skips ack sets, packed or not, and fields of newer brokers", () => {
    const expected = MessageId.parse("10:5:-1").toBytes();
    for (const hex of ["080a10052a02fe0728fe07", "080a100578019501010203048101010203040506070842020a0b"]) {
      expect(MessageId.fromBytes(bytesOf(hex)).toBytes()).toEqual(expected);
    }
  });

  it("does not follow a chunk of a chunk", () => {
    const hex = "080a10073a0c080a10033a06080a10013000";
    expect(MessageId.fromBytes(bytesOf(hex)).toString()).toBe("10:3:-1;10:7:-1");
  });

  it.each([
    ["nothing", ""],
    ["no entry id", "080a"],
    ["no ledger id", "1005"],
    ["a cut varint", "080a1085"],
    ["a first chunk past the end", "080a10053a05080a"],
    ["a huge length", "080a10053affffffffffffffffff01"],
    ["a group", "080a10051b"],
    ["field number zero", "080a100500"],
    ["a fixed field past the end", "080a1005810101"],
    ["an eleven-byte varint", "08ffffffffffffffffffff01"],
  ])("refuses bytes with %s", (_, hex) => {
    expect(() => MessageId.fromBytes(bytesOf(hex))).toThrow(
      expect.objectContaining({ name: "ProtocolError", code: "INVALID_MESSAGE_ID" }),
    );
  });

  it.each([
    "",
    "1",
    "1:2:3:4:5",
    "a:b",
    "1:2;",
    ";1:2",
    "1:2;1:3;1:4",
    "(1,2,3)",
    " 1:2",
    "99999999999999999999:1",
    "1:2:9999999999",
  ])("refuses the text %j", (text) => {
    expect(() => MessageId.parse(text)).toThrow(expect.objectContaining({ code: "INVALID_MESSAGE_ID" }));
  });

  it.each([
    ["ledgerId", { ledgerId: 2n ** 63n, entryId: 0 }],
    ["entryId", { ledgerId: 0, entryId: 1.5 }],
    ["partitionIndex", { ledgerId: 0, entryId: 0, partitionIndex: -2 }],
    ["batchIndex", { ledgerId: 0, entryId: 0, batchIndex: 2 ** 31 }],
    ["batchSize", { ledgerId: 0, entryId: 0, batchSize: -1 }],
  ])("refuses a %s out of range and names it", (name, fields) => {
    expect(() => MessageId.of(fields)).toThrow(name);
  });

  it("refuses text that is no base64", () => {
    expect(() => MessageId.fromBase64("CAA*")).toThrow(expect.objectContaining({ code: "INVALID_MESSAGE_ID" }));
  });

  it("recognises ids by brand", () => {
    expect(MessageId.isMessageId(MessageId.latest)).toBe(true);
    expect(MessageId.isMessageId(MessageId.latest.toJSON())).toBe(false);
    expect(MessageId.isMessageId(null)).toBe(false);
  });
});
