/** The same bytes inside a larger buffer at an odd offset, as a socket delivers them. */
export function asFromSocket(bytes: Uint8Array): Buffer {
  const memory = Buffer.alloc(bytes.length + 64, 0x55);
  memory.set(bytes, 13);
  return memory.subarray(13, 13 + bytes.length);
}

/** Bytes without pattern, the same on each run. */
export function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 0x2545f491;
  for (let at = 0; at < length; at++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[at] = state & 255;
  }
  return bytes;
}

/** Records as applications publish them, one JSON object a line, cut to a length. */
export function records(length: number): Buffer {
  const random = noise(length);
  const lines: string[] = [];
  let size = 0;
  for (let id = 0; size < length; id++) {
    const a = random[(id * 3) % length] ?? 0;
    const b = random[(id * 3 + 1) % length] ?? 0;
    const c = random[(id * 3 + 2) % length] ?? 0;
    const line = JSON.stringify({
      orderId: 1_000_000 + id,
      customer: `customer-${(a * 256 + b) % 5000}`,
      amount: (b * 256 + c) / 100,
      currency: ["EUR", "USD", "GBP"][a % 3],
      status: ["created", "paid", "shipped", "returned"][b % 4],
      at: new Date(1_700_000_000_000 + id * 1517 + c).toISOString(),
    });
    lines.push(line);
    size += line.length + 1;
  }
  return Buffer.from(lines.join("\n")).subarray(0, length);
}
