import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { AckSet } from "../../src/ack-set/ack-set.ts";
import { fuzzBudget } from "../fuzz-budget.ts";

describe("AckSet", () => {
  it.each([
    ["index 0 of 10", 10, [0], 1022],
    ["indexes 0, 3 and 9 of 10", 10, [0, 3, 9], 502],
    ["index 1 of 10", 10, [1], 1021],
  ])("marks %s as clients do on the wire", (_, size, indexes, word) => {
    const set = AckSet.ofSize(size);
    for (const index of indexes) expect(set.ack(index)).toBe(true);
    expect(set.toWords()).toEqual([word]);
    expect(set.remaining).toBe(size - indexes.length);
  });

  it("marks all up to an index at once", () => {
    const set = AckSet.ofSize(10);
    expect(set.ackCumulative(5)).toBe(6);
    expect(set.toWords()).toEqual([960]);
    expect(set.ackCumulative(5)).toBe(0);
    expect(set.ackCumulative(100)).toBe(4);
    expect(set.isEmpty).toBe(true);
    expect(set.ackCumulative(-1)).toBe(0);
  });

  it("has negative words and drops trailing zero words", () => {
    const set = AckSet.ofSize(130);
    expect(set.toWords()).toEqual([-1, -1, 3]);
    set.ack(128);
    set.ack(129);
    expect(set.toWords()).toEqual([-1, -1]);
    set.ackCumulative(62);
    expect(set.toWords()).toEqual([-(2n ** 63n), -1]);
    set.ackCumulative(127);
    expect(set.toWords()).toEqual([]);
  });

  it("acknowledges an index once", () => {
    const set = AckSet.ofSize(3);
    expect(set.ack(1)).toBe(true);
    expect(set.ack(1)).toBe(false);
    expect(set.ack(3)).toBe(false);
    expect(set.ack(-1)).toBe(false);
    expect([0, 1, 2, 3].map((index) => set.isUnacknowledged(index))).toEqual([true, false, true, false]);
  });

  it("joins words of another set as the broker does", () => {
    const set = AckSet.fromWords([1022], 10);
    expect(set.ackWords([1021])).toBe(1);
    expect(set.toWords()).toEqual([1020]);
    expect(set.ackWords([])).toBe(8);
    expect(set.isEmpty).toBe(true);
  });

  it("counts missing words as acknowledged and drops bits beyond the batch", () => {
    expect(AckSet.fromWords([-1, -1], 70).remaining).toBe(70);
    expect(AckSet.fromWords([3], 130).remaining).toBe(2);
    expect(AckSet.fromWords([-1]).size).toBe(64);
  });

  it("copies independently", () => {
    const set = AckSet.ofSize(4);
    const copy = set.clone();
    copy.ack(0);
    expect(set.remaining).toBe(4);
    expect(copy.remaining).toBe(3);
  });

  it.each([-1, 1.5, Number.NaN, 2 ** 24 + 1])("refuses a batch size of %s", (size) => {
    expect(() => AckSet.ofSize(size)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });

  it("agrees with a plain set of indexes, also through the wire", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 300 }), fc.array(fc.tuple(fc.boolean(), fc.nat(310))), (size, acks) => {
        let set = AckSet.ofSize(size);
        const open = new Set(Array.from({ length: size }, (_, i) => i));
        for (const [cumulative, index] of acks) {
          if (cumulative) {
            set.ackCumulative(index);
            for (const i of open) if (i <= index) open.delete(i);
          } else {
            expect(set.ack(index)).toBe(open.delete(index));
          }
          set = AckSet.fromWords(set.toWords(), size);
        }
        expect(set.remaining).toBe(open.size);
        for (let i = 0; i < size; i++) expect(set.isUnacknowledged(i)).toBe(open.has(i));
      }),
      fuzzBudget(),
    );
  });
});
