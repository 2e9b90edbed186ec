import { describe, expect, it } from "vitest";
import { FrameDecoder } from "../../src/frame/frame-decoder.ts";
import { vectorsByCapture } from "./vectors.ts";

/** Frames that a decoder yields for the chunks, as hex. */
function framesOf(chunks: Iterable<Uint8Array>, reusesChunks: boolean): string[] {
  const decoder = new FrameDecoder({ reusesChunks });
  const frames: string[] = [];
  for (const chunk of chunks) {
    decoder.decode(chunk, ({ buffer, commandStart, end }) =>
      frames.push(buffer.toString("hex", commandStart - 8, end)),
    );
    // A reused chunk is overwritten once decode has returned.
    if (reusesChunks) chunk.fill(0xee);
  }
  expect(decoder.bufferedBytes).toBe(0);
  return frames;
}

function* bytewise(stream: Buffer): Iterable<Uint8Array> {
  for (let i = 0; i < stream.length; i++) yield Buffer.from(stream.subarray(i, i + 1));
}

describe.each([...vectorsByCapture])("the stream of %s", (_, vectors) => {
  const frames = vectors.map(({ hex }) => hex);
  const stream = Buffer.from(frames.join(""), "hex");

  it.each([false, true])("is cut into its frames when it comes whole (reused chunks: %s)", (reusesChunks) => {
    expect(framesOf([Buffer.from(stream)], reusesChunks)).toEqual(frames);
  });

  it.each([false, true])("is cut into its frames when it comes byte by byte (reused chunks: %s)", (reusesChunks) => {
    expect(framesOf(bytewise(stream), reusesChunks)).toEqual(frames);
  });

  it("is cut into its frames when it comes in chunks of any size up to 64 bytes", () => {
    for (let size = 2; size <= 64; size++) {
      const chunks = Array.from({ length: Math.ceil(stream.length / size) }, (_, i) =>
        Buffer.from(stream.subarray(i * size, (i + 1) * size)),
      );
      expect(framesOf(chunks, true)).toEqual(frames);
    }
  });
});

it("cuts every frame out whatever the one boundary it is split at", () => {
  for (const { name, hex } of [...vectorsByCapture.values()].flat()) {
    const frame = Buffer.from(hex, "hex");
    for (let at = 1; at < frame.length; at++) {
      const decoder = new FrameDecoder();
      let seen = 0;
      decoder.decode(frame.subarray(0, at), () => expect.fail(`${name} came out too early`));
      decoder.decode(frame.subarray(at), ({ buffer, commandStart, end }) => {
        seen += buffer.subarray(commandStart - 8, end).equals(frame) ? 1 : 100;
      });
      if (seen !== 1) expect.fail(`${name} split at ${at}`);
    }
  }
});
