import fc from "fast-check";
import { expect, it } from "vitest";
import type { FakeConnection } from "./fake-connection.ts";
import { FakeBroker, send } from "./producer-fixture.ts";

type Step =
  | { readonly kind: "send"; readonly size: number; readonly isDelayed: boolean }
  | { readonly kind: "receipt"; readonly count: number }
  | { readonly kind: "advance"; readonly ms: number }
  | { readonly kind: "cut" | "unload" | "storeFails" | "notAllowed" | "checksum" | "full" | "drain" | "flush" };

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("send"), size: fc.nat(300), isDelayed: fc.boolean() }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("receipt"), count: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("advance"), ms: fc.constantFrom(1, 50, 200, 1500) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom("cut", "unload", "storeFails", "notAllowed", "checksum", "full", "drain", "flush"),
    }),
  },
) as fc.Arbitrary<Step>;

/** The broker's side of all connections: what it stored under which id, and what it refused. */
class Store {
  readonly stored = new Map<bigint, readonly string[]>();
  readonly #answered = new Map<FakeConnection, number>();

  /** Answers the oldest unanswered entry of a connection with a receipt. */
  receipt(connection: FakeConnection): void {
    const send = this.#next(connection);
    if (send === undefined) return;
    const entryId = this.stored.size;
    this.stored.set(
      BigInt(entryId),
      send.messages.map(({ text }) => text),
    );
    connection.receipt(send.sequenceId, 1, entryId);
  }

  refuse(connection: FakeConnection, error: "PersistenceError" | "NotAllowedError" | "ChecksumError"): void {
    const send = this.#next(connection);
    if (send !== undefined) connection.sendError(send.sequenceId, error);
  }

  #next(connection: FakeConnection): ReturnType<FakeConnection["sends"]>[number] | undefined {
    const index = this.#answered.get(connection) ?? 0;
    const send = connection.sends()[index];
    if (send !== undefined) this.#answered.set(connection, index + 1);
    return send;
  }
}

/** Milliseconds: the package's share locally, more where the environment asks for it. */
const BUDGET_MS = Math.max(500, Number(process.env["PULSEWIRE_FUZZ_SECONDS"] ?? 10) * 100);

it("settles every send once, in order, only by its own receipt or a typed error, whatever happens on the way", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.boolean(), async (steps, batchingEnabled) => {
      const broker = new FakeBroker(3000);
      const store = new Store();
      const producer = await broker.create({
        batchingEnabled,
        batchingMaxMessages: 4,
        maxPendingMessages: 8,
        blockIfQueueFull: true,
        sendTimeoutMs: 1000,
      });
      const settled: string[] = [];
      let sent = 0;
      const run = async (next: Step): Promise<void> => {
        const { connection } = broker;
        switch (next.kind) {
          case "send": {
            const value = `${sent++}:${"x".repeat(next.size)}`;
            const deliverAfterMs = next.isDelayed ? 10 : undefined;
            send(producer, { value, deliverAfterMs }).then(
              (id) => {
                settled.push(value);
                expect(store.stored.get(id.entryId)?.[Math.max(0, id.batchIndex)]).toBe(value);
              },
              (error: { code?: string }) => {
                settled.push(value);
                expect(["TIMEOUT", "NOT_ALLOWED", "CHECKSUM"]).toContain(error.code);
              },
            );
            return;
          }
          case "receipt":
            for (let count = 0; count < next.count; count++) store.receipt(connection);
            return;
          case "advance":
            return broker.clock.advance(next.ms);
          case "cut":
            return connection.close();
          case "unload":
            return connection.closeProducer();
          case "storeFails":
            return store.refuse(connection, "PersistenceError");
          case "notAllowed":
            return store.refuse(connection, "NotAllowedError");
          case "checksum":
            return store.refuse(connection, "ChecksumError");
          case "full":
            connection.takesMore = false;
            return;
          case "drain":
            connection.takesMore = true;
            return connection.drain();
          case "flush":
            void producer.flush();
            return;
        }
      };
      for (const next of steps) await run(next);
      const closed = producer.close();
      await broker.clock.advance(5000);
      await closed;
      expect(settled).toHaveLength(sent);
      for (const connection of broker.connections) expectRisingRuns(connection, sent);
      expect([broker.memory.used, broker.memory.waiting, broker.clock.pendingTimers]).toEqual([0, 0, 0]);
      expect(producer.stats).toMatchObject({ pendingMessages: 0, pendingBytes: 0, waitingMessages: 0 });
    }),
    { numRuns: 100_000, interruptAfterTimeLimit: BUDGET_MS },
  );
}, 60_000);

/** On one connection sequence ids rise, but for a complete repetition from an older one on. */
function expectRisingRuns(connection: FakeConnection, sent: number): void {
  let previous = -1;
  let highest = -1;
  for (const { sequenceId } of connection.sends()) {
    const id = Number(sequenceId);
    if (id <= previous) expect(id).toBeLessThanOrEqual(highest);
    previous = id;
    highest = Math.max(highest, id);
    expect(id).toBeLessThan(sent);
  }
}
