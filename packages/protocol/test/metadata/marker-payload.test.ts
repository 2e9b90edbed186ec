import { expect, it } from "vitest";
import { decodeMarkerPayload, encodeMarkerPayload } from "../../src/metadata/marker-payload.ts";

const position = { ledgerId: 9007199254740993n, entryId: -1 };

it("keeps a snapshot with its clusters and 64-bit positions", () => {
  const snapshot = {
    snapshotId: "s-1",
    localMessageId: position,
    clusters: [{ cluster: "east", messageId: { ledgerId: 1, entryId: 2 } }],
  };
  const bytes = encodeMarkerPayload("REPLICATED_SUBSCRIPTION_SNAPSHOT", snapshot);
  expect(decodeMarkerPayload("REPLICATED_SUBSCRIPTION_SNAPSHOT", bytes)).toEqual(snapshot);
});

it("writes a snapshot request field by field", () => {
  const bytes = encodeMarkerPayload("REPLICATED_SUBSCRIPTION_SNAPSHOT_REQUEST", {
    snapshotId: "ab",
    sourceCluster: "c",
  });
  expect(Buffer.from(bytes).toString("hex")).toBe("0a0261621201" + "63");
});

it("refuses an update without its subscription", () => {
  expect(() => decodeMarkerPayload("REPLICATED_SUBSCRIPTION_UPDATE", new Uint8Array())).toThrowError(
    expect.objectContaining({ code: "MISSING_FIELD" }),
  );
});
