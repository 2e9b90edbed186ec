import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunkUuid, planChunks } from "../../src/chunk/chunk-plan.ts";
import {
  ChunkedMessageAssembler,
  type ChunkOutcome,
  type ChunkPart,
} from "../../src/chunk/chunked-message-assembler.ts";
import { MessageId } from "../../src/message-id/message-id.ts";
import { fuzzBudget } from "../fuzz-budget.ts";

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const idOf = (entry: number): MessageId => new MessageId(7, entry, 1, -1, 0, undefined, "t-partition-1");

/** Chunks of one letter each of "abcd", from an entry on. */
function part(chunkId: number, entry: number, changes: Partial<ChunkPart> = {}): ChunkPart {
  return {
    uuid: "p-0",
    chunkId,
    numChunks: 4,
    totalSizeBytes: 4,
    messageId: idOf(entry),
    payload: Buffer.from("abcd"[chunkId] ?? ""),
    ...changes,
  };
}

function addAll(assembler: ChunkedMessageAssembler, parts: readonly ChunkPart[]): ChunkOutcome {
  const outcomes = parts.map((one) => assembler.add(one, 0));
  const last = outcomes.pop();
  if (last === undefined) throw new Error("no parts");
  for (const outcome of outcomes) expect(outcome.kind).toBe("incomplete");
  return last;
}

describe("planChunks", () => {
  it("cuts into full chunks and a rest", () => {
    expect(planChunks(10, 4)).toEqual([
      { chunkId: 0, start: 0, end: 4 },
      { chunkId: 1, start: 4, end: 8 },
      { chunkId: 2, start: 8, end: 10 },
    ]);
    expect(planChunks(8, 4)).toHaveLength(2);
    expect(planChunks(4, 4)).toEqual([{ chunkId: 0, start: 0, end: 4 }]);
    expect(planChunks(0, 4)).toEqual([{ chunkId: 0, start: 0, end: 0 }]);
  });

  it.each([
    [-1, 4],
    [1.5, 4],
    [4, 0],
    [4, -10],
    [4, Number.NaN],
  ])("refuses a payload of %s bytes in chunks of %s", (size, max) => {
    expect(() => planChunks(size, max)).toThrow(expect.objectContaining({ code: "INVALID_CHUNK" }));
  });

  it("names messages by producer and sequence id", () => {
    expect(chunkUuid("standalone-0-7", 12)).toBe("standalone-0-7-12");
  });
});

describe("ChunkedMessageAssembler", () => {
  it("puts a message together and names it by its last and first chunk", () => {
    const assembler = new ChunkedMessageAssembler();
    const outcome = addAll(assembler, [part(0, 10), part(1, 11), part(2, 12), part(3, 13)]);
    if (outcome.kind !== "complete") throw new Error(outcome.kind);
    expect(text(outcome.payload)).toBe("abcd");
    expect(outcome.messageId.toString()).toBe("7:10:1;7:13:1");
    expect(outcome.messageId.topic).toBe("t-partition-1");
    expect(outcome.chunkMessageIds.map(String)).toEqual(["7:10:1", "7:11:1", "7:12:1", "7:13:1"]);
    expect(assembler.pendingMessages).toBe(0);
  });

  it("takes a message of a single chunk, also an empty one", () => {
    const assembler = new ChunkedMessageAssembler();
    const single = { numChunks: 1, totalSizeBytes: 0, payload: new Uint8Array(0) };
    expect(assembler.add(part(0, 1, single), 0)).toMatchObject({ kind: "complete", payload: new Uint8Array(0) });
  });

  it("copies payloads, so that the buffer of a chunk may be used again", () => {
    const assembler = new ChunkedMessageAssembler();
    const shared = Buffer.from("a");
    const two = { numChunks: 2, totalSizeBytes: 2, payload: shared };
    assembler.add(part(0, 1, two), 0);
    shared[0] = 0x62;
    const outcome = assembler.add(part(1, 2, two), 0);
    shared[0] = 0x63;
    expect(outcome.kind === "complete" && text(outcome.payload)).toBe("ab");
  });

  it("keeps interleaved messages of different producers apart", () => {
    const assembler = new ChunkedMessageAssembler();
    const other = { uuid: "q-0", payload: Buffer.from("z") };
    for (let i = 0; i < 3; i++) {
      expect(assembler.add(part(i, 10 + i), 0).kind).toBe("incomplete");
      expect(assembler.add(part(i, 20 + i, other), 0).kind).toBe("incomplete");
    }
    expect(assembler.pendingMessages).toBe(2);
    const second = assembler.add(part(3, 23, other), 0);
    const first = assembler.add(part(3, 13), 0);
    expect([first, second].map((one) => one.kind === "complete" && text(one.payload))).toEqual(["abcd", "zzzz"]);
  });

  it("knows a chunk that came before, and whether this copy is another entry", () => {
    const assembler = new ChunkedMessageAssembler();
    addAll(assembler, [part(0, 10), part(1, 11)]);
    expect(assembler.add(part(0, 10), 0)).toEqual({ kind: "duplicate", acknowledge: false, discarded: [] });
    expect(assembler.add(part(1, 11), 0)).toEqual({ kind: "duplicate", acknowledge: false, discarded: [] });
    expect(assembler.add(part(1, 99), 0)).toEqual({ kind: "duplicate", acknowledge: true, discarded: [] });
    expect(addAll(assembler, [part(2, 12), part(3, 13)]).kind).toBe("complete");
  });

  it("starts anew when the first chunk comes as another entry", () => {
    const assembler = new ChunkedMessageAssembler();
    addAll(assembler, [part(0, 10), part(1, 11)]);
    const outcome = assembler.add(part(0, 20), 0);
    expect(outcome.kind).toBe("incomplete");
    expect(outcome.discarded).toMatchObject([{ reason: "restarted", uuid: "p-0" }]);
    expect(outcome.discarded[0]?.messageIds.map(String)).toEqual(["7:10:1", "7:11:1"]);
    const whole = addAll(assembler, [part(1, 21), part(2, 22), part(3, 23)]);
    expect(whole.kind === "complete" && whole.messageId.toString()).toBe("7:20:1;7:23:1");
  });

  it("gives a message up at a gap, and drops what comes after", () => {
    const assembler = new ChunkedMessageAssembler();
    addAll(assembler, [part(0, 10)]);
    const gap = assembler.add(part(2, 12), 0);
    expect(gap).toMatchObject({ kind: "dropped", discarded: [{ reason: "gap" }] });
    expect(gap.discarded[0]?.messageIds.map(String)).toEqual(["7:10:1", "7:12:1"]);
    expect(assembler.add(part(3, 13), 0)).toMatchObject({ kind: "dropped", discarded: [{ reason: "gap" }] });
    expect(assembler.pendingMessages).toBe(0);
  });

  it("gives up the oldest of too many unfinished messages", () => {
    const assembler = new ChunkedMessageAssembler({ maxPendingMessages: 2 });
    assembler.add(part(0, 1, { uuid: "a" }), 0);
    assembler.add(part(0, 2, { uuid: "b" }), 0);
    expect(assembler.add(part(0, 3, { uuid: "c" }), 0).discarded).toMatchObject([{ reason: "evicted", uuid: "a" }]);
    const unlimited = new ChunkedMessageAssembler({ maxPendingMessages: 0 });
    for (let i = 0; i < 50; i++) expect(unlimited.add(part(0, i, { uuid: `u-${i}` }), 0).discarded).toEqual([]);
  });

  it("gives up unfinished messages by the caller's time", () => {
    const assembler = new ChunkedMessageAssembler({ expireAfterMs: 100 });
    assembler.add(part(0, 1, { uuid: "a" }), 1000);
    assembler.add(part(0, 2, { uuid: "b" }), 1050);
    expect(assembler.expire(1099)).toEqual([]);
    expect(assembler.expire(1100)).toMatchObject([{ reason: "expired", uuid: "a" }]);
    expect(assembler.add(part(0, 3, { uuid: "c" }), 1150).discarded).toMatchObject([{ reason: "expired", uuid: "b" }]);
    const patient = new ChunkedMessageAssembler({ expireAfterMs: 0 });
    patient.add(part(0, 1), 0);
    expect(patient.expire(1e12)).toEqual([]);
  });

  it("forgets everything on request", () => {
    const assembler = new ChunkedMessageAssembler();
    addAll(assembler, [part(0, 10), part(1, 11)]);
    assembler.clear();
    expect([assembler.pendingMessages, assembler.pendingBytes]).toEqual([0, 0]);
  });

  it.each([
    ["no chunks", { numChunks: 0 }],
    ["a chunk that does not exist", { chunkId: 4 }],
    ["a negative chunk id", { chunkId: -1 }],
    ["a negative total", { totalSizeBytes: -1 }],
    ["a total beyond the maximum", { totalSizeBytes: 2_000_000_000 }],
    ["more bytes than the total", { payload: Buffer.from("abcdef") }],
  ])("refuses a first chunk with %s", (_, changes) => {
    const assembler = new ChunkedMessageAssembler({ maxTotalSizeBytes: 1_000_000_000 });
    const outcome = assembler.add(part(0, 1, changes), 0);
    expect(outcome).toMatchObject({
      kind: "dropped",
      discarded: [{ reason: "invalid", error: { code: "INVALID_CHUNK" } }],
    });
    expect(assembler.pendingMessages).toBe(0);
  });

  it.each([
    ["another number of chunks", 1, { numChunks: 5 }],
    ["another total", 1, { totalSizeBytes: 5 }],
    ["more bytes than the total", 1, { payload: Buffer.from("bcde") }],
    ["fewer bytes than the total at the end", 3, { payload: new Uint8Array(0) }],
  ])("refuses a later chunk with %s", (_, chunkId, changes) => {
    const assembler = new ChunkedMessageAssembler();
    for (let i = 0; i < chunkId; i++) assembler.add(part(i, i), 0);
    const outcome = assembler.add(part(chunkId, 50, changes), 0);
    expect(outcome).toMatchObject({
      kind: "dropped",
      discarded: [{ reason: "invalid", error: { code: "INVALID_CHUNK" } }],
    });
    expect(outcome.discarded[0]?.messageIds).toHaveLength(chunkId + 1);
  });

  it("holds memory by what has come, not by what is claimed", () => {
    const assembler = new ChunkedMessageAssembler();
    assembler.add(part(0, 1, { numChunks: 1_000_000, totalSizeBytes: 2_000_000_000 }), 0);
    expect(assembler.pendingBytes).toBeLessThan(100);
  });

  it.each(["maxPendingMessages", "expireAfterMs", "maxTotalSizeBytes"])(
    "refuses a negative %s and names it",
    (option) => {
      expect(() => new ChunkedMessageAssembler({ [option]: -1 })).toThrow(option);
    },
  );

  it("restores any payload that was cut by plan, chunks of several messages mixed", () => {
    const message = fc.tuple(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 50 }));
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 4 }),
        fc.infiniteStream(fc.nat()),
        (messages, choices) => {
          const queues = messages.map(([payload, max], m) =>
            planChunks(payload.length, max).map(
              ({ chunkId, start, end }, _, all): ChunkPart => ({
                uuid: `p-${m}`,
                chunkId,
                numChunks: all.length,
                totalSizeBytes: payload.length,
                messageId: new MessageId(m, chunkId),
                payload: payload.subarray(start, end),
              }),
            ),
          );
          const assembler = new ChunkedMessageAssembler();
          const whole = new Map<number | bigint, Uint8Array>();
          while (queues.some((queue) => queue.length > 0)) {
            const open = queues.filter((queue) => queue.length > 0);
            const next = open[(choices.next().value ?? 0) % open.length]?.shift();
            if (next === undefined) break;
            const outcome = assembler.add(next, 0);
            if (outcome.kind === "complete") whole.set(outcome.messageId.ledger, outcome.payload);
          }
          for (const [m, [payload]] of messages.entries()) {
            expect(Buffer.compare(whole.get(m) ?? Buffer.from("missing"), payload)).toBe(0);
          }
        },
      ),
      fuzzBudget(),
    );
  });
});
