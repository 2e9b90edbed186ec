import { COMPRESSION_TYPES, CompressionRegistry, type CompressionType } from "@pulsewire/protocol";
import { type Measurement, measure } from "./measure.ts";
import { type CompressionPeer, compressionPeers } from "./peers/compression.ts";
import { asFromSocket, records } from "./socket-bytes.ts";
import { renderTable } from "./table.ts";

const SIZES = [10_240, 102_400];

/** Each codec beside the alternatives, on JSON records. Every package reads what ours wrote before it is measured. */
export async function benchCodecs(): Promise<string> {
  const registry = new CompressionRegistry();
  const peers = compressionPeers();
  const tables: string[] = [];
  for (const type of COMPRESSION_TYPES.filter((each) => each !== "NONE")) {
    const codec = await registry.load(type);
    const own: CompressionPeer = {
      name: "@pulsewire/protocol",
      compress: (input) => codec.compress(input),
      decompress: (input, size) => codec.decompress(input, size),
    };
    for (const size of SIZES) tables.push(compare(type, size, [own, ...(peers[type] ?? [])]));
  }
  return tables.join("\n");
}

function compare(type: CompressionType, size: number, candidates: readonly CompressionPeer[]): string {
  const plain = asFromSocket(records(size));
  const compressed = asFromSocket(candidates[0]?.compress?.(plain) ?? Buffer.alloc(0));
  const work = { operations: 1, bytes: size };
  const rows: Measurement[] = [];
  const ratios = new Map<string, string>();
  for (const { name, compress } of candidates) {
    if (compress === undefined) continue;
    const row = measure(`compress: ${name}`, work, () => compress(plain));
    ratios.set(row.name, `ratio ${(size / compress(plain).length).toFixed(2)}`);
    rows.push(row);
  }
  for (const { name, decompress } of candidates) {
    if (Buffer.compare(decompress(compressed, size), plain) !== 0) throw new Error(`${name} does not read our ${type}`);
    rows.push(measure(`decompress: ${name}`, work, () => decompress(compressed, size)));
  }
  return renderTable(`${type}, ${size} bytes of JSON records`, "payload", rows, ratios);
}
