import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BrokerModel } from "./broker-model.ts";

type Step =
  | { readonly kind: "publish"; readonly count: number }
  | { readonly kind: "receive" | "redeliver" | "cut" }
  | { readonly kind: "acknowledge"; readonly pick: number; readonly isCumulative: boolean }
  | { readonly kind: "negativeAcknowledge"; readonly pick: number }
  | { readonly kind: "pass"; readonly ms: number };

const pick = fc.nat(20);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("publish" as const), count: fc.nat(40) }) },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant("receive" as const) }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant("acknowledge" as const), pick, isCumulative: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("negativeAcknowledge" as const), pick }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("pass" as const), ms: fc.constantFrom(1, 60, 400) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom("redeliver" as const, "cut" as const) }) },
);

async function take(model: BrokerModel, action: Step): Promise<void> {
  switch (action.kind) {
    case "publish":
      model.publish(action.count);
      return;
    case "receive":
      await model.receive();
      return;
    case "acknowledge":
      await model.acknowledge(action.pick, action.isCumulative);
      return;
    case "negativeAcknowledge":
      model.negativeAcknowledge(action.pick);
      return;
    case "pass":
      await model.pass(action.ms);
      return;
    case "redeliver":
      model.redeliver();
      return;
    case "cut":
      await model.cut();
      return;
  }
}

const seconds = Number(process.env["PULSEWIRE_FUZZ_SECONDS"] ?? 10);

describe("whatever happens", () => {
  it("permits are conserved, nothing acknowledged comes again, and everything is acknowledged in the end", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.integer({ min: 1, max: 30 }),
        fc.array(step, { minLength: 1, maxLength: 80 }),
        async (isOrdered, receiverQueueSize, steps) => {
          const model = new BrokerModel(isOrdered, receiverQueueSize);
          await model.start();
          for (const action of steps) {
            await take(model, action);
            model.checkPermits();
          }
          expect(await model.drain()).toBe(0);
          expect(model.broker.clock.pendingTimers).toBe(0);
        },
      ),
      { numRuns: 100_000, interruptAfterTimeLimit: seconds * 200 },
    );
  }, 120_000);
});
