import fc from "fast-check";
import { expect, it } from "vitest";
import { MessageId } from "../../src/message-id/message-id.ts";
import { fuzzBudget } from "../fuzz-budget.ts";

const int64 = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), fc.bigInt({ min: -1n, max: 1000n }));
const index = fc.integer({ min: -1, max: 2 ** 31 - 1 });
const plain = fc.record({
  ledgerId: int64,
  entryId: int64,
  partitionIndex: index,
  batchIndex: index,
  batchSize: fc.nat(2 ** 31 - 1),
});

it("survives bytes, base64 and JSON, and keeps its place through text", () => {
  fc.assert(
    fc.property(plain, fc.option(plain), (fields, first) => {
      const id = MessageId.of(first === null ? fields : { ...fields, firstChunkMessageId: first });
      expect(MessageId.fromBytes(id.toBytes())).toEqual(id);
      expect(MessageId.fromBase64(id.toBase64())).toEqual(id);
      expect(MessageId.fromJSON(id.toJSON())).toEqual(id);
      expect(MessageId.parse(id.toString()).equals(id)).toBe(true);
    }),
    fuzzBudget(),
  );
});

it("gives an id or a typed error for any bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.boolean(), (bytes, prefixed) => {
      const input = prefixed ? Uint8Array.from([8, 10, 16, 5, ...bytes]) : bytes;
      try {
        MessageId.fromBytes(input).toString();
      } catch (error) {
        expect(error).toMatchObject({ name: "ProtocolError", code: "INVALID_MESSAGE_ID" });
      }
    }),
    fuzzBudget(),
  );
});
