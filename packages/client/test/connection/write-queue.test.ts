import { describe, expect, it } from "vitest";
import type { Transport } from "../../src/connection/dialer.ts";
import { WriteQueue } from "../../src/connection/write-queue.ts";
import { reactions } from "../util/manual-clock.ts";

const MIB = 1024 * 1024;

class StubTransport implements Transport {
  queuedBytes = 0;
  readonly calls: string[] = [];

  write(bytes: Uint8Array): void {
    this.queuedBytes += bytes.length;
    this.calls.push(`write ${bytes.length}`);
  }

  cork(): void {
    this.calls.push("cork");
  }

  uncork(): void {
    this.calls.push("uncork");
  }

  destroy(): void {}
}

it("corks once a tick, and uncorks after the promise reactions of that tick", async () => {
  const transport = new StubTransport();
  const queue = new WriteQueue(transport);
  queue.write(Buffer.alloc(1));
  queue.write(Buffer.alloc(2));
  await reactions();
  queue.write(Buffer.alloc(3));
  await reactions();
  expect(transport.calls).toEqual(["cork", "write 1", "write 2", "uncork", "cork", "write 3", "uncork"]);
});

describe("back-pressure", () => {
  it("asks for a pause at 1 MiB and calls back when the transport has drained", async () => {
    const transport = new StubTransport();
    const queue = new WriteQueue(transport);
    expect(queue.write(Buffer.alloc(MIB - 1))).toBe(true);
    expect(queue.write(Buffer.alloc(1))).toBe(false);
    const calls: string[] = [];
    queue.onceDrained(() => calls.push("first"));
    queue.onceDrained(() => calls.push("second"));
    await reactions();
    expect(calls).toEqual([]);
    transport.queuedBytes = 0;
    queue.onDrain();
    queue.onDrain();
    await reactions();
    expect(calls).toEqual(["first", "second"]);
  });

  it("calls back soon, but not at once, when nothing is in the way", async () => {
    const queue = new WriteQueue(new StubTransport());
    let calls = 0;
    queue.onceDrained(() => void calls++);
    expect(calls).toBe(0);
    await reactions();
    expect(calls).toBe(1);
  });
});

it("hands over what was written in this tick when it is closed, and drops everything after", async () => {
  const transport = new StubTransport();
  const queue = new WriteQueue(transport);
  queue.write(Buffer.alloc(1));
  queue.close();
  queue.write(Buffer.alloc(2));
  queue.onceDrained(() => transport.calls.push("drained"));
  await reactions();
  expect(transport.calls).toEqual(["cork", "write 1", "uncork"]);
});
