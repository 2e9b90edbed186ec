import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FrameDecoder } from "../../src/frame/frame-decoder.ts";
import { encodeFrame } from "../../src/frame/frame-encoder.ts";
import { DEFAULT_MAX_MESSAGE_SIZE_BYTES, FRAME_OVERHEAD_BYTES } from "../../src/frame/limits.ts";
import { fuzzBudget } from "../fuzz-budget.ts";
import { accepts, refusalOf } from "../refusal.ts";

function sizes(total: number, command: number): Buffer {
  const head = Buffer.alloc(8);
  head.writeUInt32BE(total, 0);
  head.writeUInt32BE(command, 4);
  return head;
}

const ignore = (): void => undefined;

describe("sizes of a frame", () => {
  it.each([
    ["total size 0", 0, 0, "INVALID_SIZE", 0],
    ["a total size without room for the command size", 3, 0, "INVALID_SIZE", 0],
    ["a command size above the total size", 10, 7, "INVALID_SIZE", 4],
    ["a command size with the sign bit", 10, 0x80000000, "INVALID_SIZE", 4],
    ["a total size with the sign bit", 0x80000004, 0, "FRAME_TOO_LARGE", 0],
    ["the largest total size", 0xffffffff, 0xffffffff, "FRAME_TOO_LARGE", 0],
    ["one byte above the limit", DEFAULT_MAX_MESSAGE_SIZE_BYTES + FRAME_OVERHEAD_BYTES + 1, 10, "FRAME_TOO_LARGE", 0],
  ])("refuse %s before memory is allocated", (_, total, command, code, offset) => {
    for (const splitAt of [0, 1, 4, 7]) {
      const decoder = new FrameDecoder();
      const before = decoder.allocatedBytes;
      const bytes = sizes(total, command);
      const refusal = refusalOf(() => {
        decoder.decode(bytes.subarray(0, splitAt), ignore);
        decoder.decode(bytes.subarray(splitAt), ignore);
      });
      expect(refusal).toMatchObject({ code, offset });
      expect(decoder.allocatedBytes).toBe(before);
    }
  });

  it("accept a frame at the limit", () => {
    const decoder = new FrameDecoder({ maxMessageSizeBytes: 100 });
    const frames: number[] = [];
    const frame = encodeFrame(Buffer.alloc(100 + FRAME_OVERHEAD_BYTES - 4));
    decoder.decode(frame, ({ commandEnd, end }) => frames.push(commandEnd, end));
    expect(frames).toEqual([frame.length, frame.length]);
    expect(
      refusalOf(() => decoder.decode(encodeFrame(Buffer.alloc(100 + FRAME_OVERHEAD_BYTES - 3)), ignore)).code,
    ).toBe("FRAME_TOO_LARGE");
  });

  it("follow a limit that changes between chunks", () => {
    const decoder = new FrameDecoder({ maxMessageSizeBytes: 10 });
    decoder.maxMessageSizeBytes = 1_000_000;
    let end = 0;
    decoder.decode(encodeFrame(Buffer.alloc(500_000)), (frame) => {
      end = frame.end;
    });
    expect(end).toBe(500_008);
  });

  it("accept a command of no bytes", () => {
    let seen = 0;
    new FrameDecoder().decode(sizes(4, 0), ({ commandStart, commandEnd, end }) => {
      expect([commandStart, commandEnd, end]).toEqual([8, 8, 8]);
      seen++;
    });
    expect(seen).toBe(1);
  });

  it("name the offset in the whole stream", () => {
    const decoder = new FrameDecoder();
    decoder.decode(encodeFrame(Buffer.alloc(20)), ignore);
    expect(
      refusalOf(() => decoder.decode(Buffer.concat([encodeFrame(Buffer.alloc(1)), sizes(2, 0)]), ignore)).offset,
    ).toBe(37);
  });
});

describe("a decoder that has failed", () => {
  it("refuses further input with the same error", () => {
    const decoder = new FrameDecoder();
    const refusal = refusalOf(() => decoder.decode(sizes(1, 0), ignore));
    expect(refusalOf(() => decoder.decode(encodeFrame(Buffer.alloc(3)), ignore))).toBe(refusal);
  });

  it("refuses further input after its caller threw", () => {
    const decoder = new FrameDecoder();
    const failure = new Error("caller");
    const frame = encodeFrame(Buffer.alloc(3));
    expect(() =>
      decoder.decode(frame, () => {
        throw failure;
      }),
    ).toThrow(failure);
    expect(refusalOf(() => decoder.decode(frame, ignore))).toMatchObject({ code: "INVALID_ARGUMENT", cause: failure });
  });
});

it("gives a frame with payload memory of its own when chunks are reused", () => {
  const frame = Buffer.concat([sizes(12, 2), Buffer.from("abPAYLOAD").subarray(0, 8)]);
  const decoder = new FrameDecoder({ reusesChunks: true });
  let kept: Buffer = Buffer.alloc(0);
  decoder.decode(frame, ({ buffer, commandEnd, end }) => {
    kept = buffer.subarray(commandEnd, end);
  });
  frame.fill(0);
  expect(kept.toString()).toBe("PAYLOA");
});

it("keeps its memory within the frame limit and gives frames or a typed error whatever the bytes", () => {
  const limit = 2000 + FRAME_OVERHEAD_BYTES;
  // Sizes around the limits are likelier than chance would have them.
  const head = fc.tuple(fc.nat(limit + 20), fc.nat(limit + 20)).map(([total, command]) => sizes(total, command));
  const chunk = fc.oneof(fc.uint8Array({ maxLength: 200 }), head, fc.constant(encodeFrame(Buffer.alloc(30))));
  fc.assert(
    fc.property(fc.array(chunk, { maxLength: 30 }), fc.boolean(), (chunks, reusesChunks) => {
      const decoder = new FrameDecoder({ maxMessageSizeBytes: 2000, reusesChunks });
      for (const bytes of chunks) {
        const accepted = accepts(() =>
          decoder.decode(bytes, ({ buffer, commandStart, commandEnd, end }) => {
            expect(commandStart).toBeLessThanOrEqual(commandEnd);
            expect(commandEnd).toBeLessThanOrEqual(end);
            expect(end).toBeLessThanOrEqual(buffer.length);
          }),
        );
        expect(decoder.allocatedBytes).toBeLessThanOrEqual(limit + 4 + 8);
        expect(decoder.bufferedBytes).toBeLessThanOrEqual(decoder.allocatedBytes);
        if (!accepted) return;
      }
    }),
    fuzzBudget(2),
  );
});
