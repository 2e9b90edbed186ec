import fc from "fast-check";
import { expect, it } from "vitest";
import { BatchReader } from "../../src/batch/batch-reader.ts";
import { decodeCommand } from "../../src/command/decode-command.ts";
import { decodeEntry } from "../../src/entry/decode-entry.ts";
import { FrameDecoder } from "../../src/frame/frame-decoder.ts";
import { fuzzBudget } from "../fuzz-budget.ts";
import { accepts } from "../refusal.ts";
import { vectorsByCapture } from "../vectors/vectors.ts";

const frames = [...vectorsByCapture.values()]
  .flat()
  .map(({ hex }) => Buffer.from(hex, "hex"))
  .filter(({ length }) => length < 5000);

/** Everything that a connection does with bytes from a peer. Each layer refuses for itself. */
function receive(bytes: Uint8Array): void {
  accepts(() =>
    new FrameDecoder({ reusesChunks: true }).decode(bytes, ({ buffer, commandStart, commandEnd, end }) => {
      accepts(() => decodeCommand(buffer, commandStart, commandEnd));
      if (commandEnd === end) return;
      accepts(() => {
        const { metadata, payload } = decodeEntry(buffer, commandEnd, end);
        const reader = new BatchReader(payload, metadata.numMessagesInBatch ?? 0);
        while (reader.next() !== undefined) expect(reader.payloadEnd).toBeLessThanOrEqual(payload.length);
      });
    }),
  );
}

it("gives values or typed errors for captured frames with bytes changed, cut out and put in", () => {
  const change = fc.record({ at: fc.nat(), remove: fc.nat(3), insert: fc.uint8Array({ maxLength: 3 }) });
  const mutated = fc
    .tuple(fc.constantFrom(...frames), fc.array(change, { minLength: 1, maxLength: 4 }), fc.boolean())
    .map(([frame, changes, repairsSizes]) => {
      let bytes = frame;
      for (const { at, remove, insert } of changes) {
        const pos = at % bytes.length;
        bytes = Buffer.concat([bytes.subarray(0, pos), insert, bytes.subarray(pos + remove)]);
        if (bytes.length === 0) return bytes;
      }
      // With the total size put right the inner layers are reached.
      if (repairsSizes && bytes.length >= 8) bytes.writeUInt32BE(bytes.length - 4, 0);
      return bytes;
    });
  fc.assert(fc.property(mutated, receive), fuzzBudget(4));
});

it("gives values or typed errors for changed commands and entries of captured frames", () => {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.constantFrom(...frames), changes, (frame, changed) => {
      const bytes = Buffer.from(frame);
      // Behind the sizes and, in an entry, with the checksum's magic number gone: the decoders see the changed bytes.
      for (const [at, byte] of changed) bytes[8 + (at % (bytes.length - 8))] = byte;
      const commandEnd = 8 + frame.readUInt32BE(4);
      accepts(() => decodeCommand(bytes, 8, commandEnd));
      if (commandEnd + 6 < bytes.length) accepts(() => decodeEntry(bytes, commandEnd + 6, bytes.length));
    }),
    fuzzBudget(4),
  );
});

it("gives values or typed errors for random bytes", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      receive(bytes);
      accepts(() => decodeCommand(bytes));
      accepts(() => decodeEntry(bytes));
    }),
    fuzzBudget(3),
  );
});
