import { describe, expect, it } from "vitest";
import { PendingQueue } from "../../src/producer/pending-queue.ts";
import type { SendOp } from "../../src/producer/send-op.ts";

function op(sequenceId: number, startedAtMs = 0): SendOp<number> {
  return {
    frame: new Uint8Array(),
    sequenceId,
    highestSequenceId: sequenceId,
    startedAtMs,
    memoryBytes: 0,
    resolves: [],
    rejects: [],
    isBatch: false,
    memory: undefined,
    writes: 0,
    writtenUpTo: 0,
    serial: 0,
  };
}

function queueOf(...ids: number[]): PendingQueue<number> {
  const queue = new PendingQueue<number>();
  for (const id of ids) queue.push(op(id, id));
  return queue;
}

function writeAll(queue: PendingQueue<number>): number[] {
  const written: number[] = [];
  for (let next = queue.nextUnwritten(); next !== undefined; next = queue.nextUnwritten()) {
    written.push(Number(next.sequenceId));
    queue.markWritten();
  }
  return written;
}

describe("the pending queue", () => {
  it("gives each entry to be written once, and all of them again after a rewind", () => {
    const queue = queueOf(1, 2, 3);
    expect(writeAll(queue)).toEqual([1, 2, 3]);
    expect(writeAll(queue)).toEqual([]);
    queue.rewind();
    expect(writeAll(queue)).toEqual([1, 2, 3]);
  });

  it("matches receipts with the oldest entry", () => {
    const queue = queueOf(1, 2, 3);
    writeAll(queue);
    expect(queue.takeReceipted(0).kind).toBe("stale");
    expect(queue.takeReceipted(2).kind).toBe("ahead");
    expect(queue.takeReceipted(1)).toMatchObject({ kind: "settled", op: { sequenceId: 1 } });
    expect(queue.takeReceipted(1).kind).toBe("stale");
    expect(queue.length).toBe(2);
  });

  it("compares sequence ids beyond 2^53 exactly", () => {
    const queue = new PendingQueue<number>();
    queue.push({ ...op(0), sequenceId: 2n ** 53n + 1n });
    writeAll(queue);
    expect(queue.takeReceipted(2n ** 53n).kind).toBe("stale");
    expect(queue.takeReceipted(2n ** 53n + 2n).kind).toBe("ahead");
    expect(queue.takeReceipted(2n ** 53n + 1n).kind).toBe("settled");
  });

  it("takes no receipt for an entry that is not written", () => {
    const queue = queueOf(1);
    expect(queue.takeReceipted(1).kind).toBe("stale");
    expect(queue.length).toBe(1);
  });

  it("keeps its mark when entries leave from either side of it", () => {
    const queue = queueOf(1, 2, 3, 4, 5);
    queue.markWritten();
    queue.markWritten();
    expect(queue.takeUnwrittenIf((entry) => entry.sequenceId === 4)).toHaveLength(1);
    expect(queue.takeWritten(2)).toMatchObject({ sequenceId: 2 });
    expect(queue.takeWritten(3)).toBeUndefined();
    expect(queue.takeExpired(1)).toMatchObject({ sequenceId: 1 });
    expect(queue.takeExpired(2)).toBeUndefined();
    expect(writeAll(queue)).toEqual([3, 5]);
  });

  it("tells that everything before a call has left, whichever way", () => {
    const queue = queueOf(1, 2);
    let settled = 0;
    queue.whenSettled(() => {
      settled += 1;
    });
    queue.push(op(3));
    writeAll(queue);
    queue.takeWritten(2);
    queue.notifySettled();
    expect(settled).toBe(0);
    queue.takeReceipted(1);
    queue.notifySettled();
    expect(settled).toBe(1);
    queue.takeAll();
    queue.notifySettled();
    expect(settled).toBe(1);
  });
});
