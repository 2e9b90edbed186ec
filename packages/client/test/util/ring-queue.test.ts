import fc from "fast-check";
import { expect, it } from "vitest";
import { RingQueue } from "../../src/util/ring-queue.ts";

type Step = { readonly kind: "push" | "unshift" | "remove"; readonly value: number } | { readonly kind: "shift" };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constantFrom("push", "push", "unshift", "remove"), value: fc.nat(20) }),
  fc.constant({ kind: "shift" } as const),
);

it("behaves as an array does", () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.nat(5), (steps, capacity) => {
      const queue = new RingQueue<number>(capacity);
      const model: number[] = [];
      for (const action of steps) {
        if (action.kind === "push") {
          queue.push(action.value);
          model.push(action.value);
        } else if (action.kind === "unshift") {
          queue.unshift(action.value);
          model.unshift(action.value);
        } else if (action.kind === "remove") {
          const index = model.indexOf(action.value);
          expect(queue.remove(action.value)).toBe(index >= 0);
          if (index >= 0) model.splice(index, 1);
        } else {
          expect(queue.shift()).toBe(model.shift());
        }
        expect(queue.length).toBe(model.length);
        expect(queue.peek()).toBe(model[0]);
        expect(Array.from({ length: model.length }, (_, index) => queue.at(index))).toEqual(model);
      }
      expect(queue.at(-1)).toBeUndefined();
      expect(queue.at(model.length)).toBeUndefined();
      expect(queue.drain()).toEqual(model);
      expect(queue.length).toBe(0);
    }),
  );
});

it("removes from the front without moving the rest", () => {
  const queue = new RingQueue<number>();
  const count = 100_000;
  for (let value = 0; value < count; value++) queue.push(value);
  // Moving the rest each time would take longer than a test may.
  for (let value = 0; value < count; value++) queue.remove(value);
  expect(queue.length).toBe(0);
});

it("is empty and usable after clear", () => {
  const queue = new RingQueue<number>(2);
  for (const value of [1, 2, 3]) queue.push(value);
  queue.clear();
  expect([queue.length, queue.peek(), queue.shift()]).toEqual([0, undefined, undefined]);
  queue.push(4);
  expect(queue.drain()).toEqual([4]);
});
