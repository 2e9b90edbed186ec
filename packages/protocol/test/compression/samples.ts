/** Payloads that bring out the formats' corners: empty, tiny, repeating at short and long distances, incompressible. */
export function samples(): ReadonlyMap<string, Uint8Array> {
  const records = Array.from(
    { length: 120 },
    (_, i) => `{"id":${i},"user":"user-${i % 7}","value":${(i * 7919) % 1000},"tags":["a","b"]}`,
  ).join("\n");
  return new Map<string, Uint8Array>([
    ["nothing", new Uint8Array(0)],
    ["one byte", Uint8Array.of(7)],
    ["four equal bytes", new Uint8Array(4).fill(1)],
    ["thirteen equal bytes", new Uint8Array(13).fill(1)],
    ["a long run", new Uint8Array(100_000).fill(0x61)],
    ["records", Buffer.from(records)],
    ["a repetition beyond 64 KiB", Buffer.concat([noise(70_000), noise(70_000)])],
    ["a repetition within 64 KiB", Buffer.concat([noise(40_000), noise(40_000)])],
    ["noise", noise(20_000)],
    ["much noise", noise(2_000_000)],
    ["long literals between matches", Buffer.concat([noise(300), Buffer.alloc(600, 5), noise(300), noise(300)])],
  ]);
}

/** Bytes that do not compress, the same on each run. */
export function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  let state = 0x2545f491;
  for (let i = 0; i < length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[i] = state & 255;
  }
  return bytes;
}
