import { expect, it } from "vitest";
import { isMarker, isTransactionMarker, MarkerType } from "../../src/markers/marker-type.ts";

it("takes any marker type for a marker, and none for a message", () => {
  expect(isMarker({})).toBe(false);
  for (const markerType of [0, 10, 22, 99]) expect(isMarker({ markerType })).toBe(true);
});

it("tells the markers of transactions from those of replicated subscriptions", () => {
  const found = Object.entries(MarkerType).filter(([, markerType]) => isTransactionMarker({ markerType }));
  expect(found.map(([name]) => name)).toEqual(["TXN_COMMITTING", "TXN_COMMIT", "TXN_ABORT"]);
  expect(isTransactionMarker({})).toBe(false);
});
