/** One thing to measure with every client. */
export interface Case {
  readonly name: string;
  readonly kind: "produce" | "consume";
  readonly sizeBytes: number;
  readonly batched: boolean;
  readonly openSends: number;
  /** Messages that a topic is filled with before it is consumed. */
  readonly stored: number;
}

function produce(name: string, sizeBytes: number, batched: boolean, openSends = 1000): Case {
  return { name, kind: "produce", sizeBytes, batched, openSends, stored: 0 };
}

function consume(name: string, sizeBytes: number, batched: boolean, stored: number): Case {
  return { name, kind: "consume", sizeBytes, batched, openSends: 1000, stored };
}

export const CASES: readonly Case[] = [
  produce("produce-100-batched", 100, true),
  produce("produce-1024-batched", 1024, true),
  produce("produce-100-unbatched", 100, false),
  produce("produce-1024-unbatched", 1024, false),
  produce("produce-100-batched-10000-open", 100, true, 10_000),
  consume("consume-100-batched", 100, true, 2_500_000),
  consume("consume-1024-batched", 1024, true, 600_000),
  consume("consume-100-unbatched", 100, false, 200_000),
  consume("consume-1024-unbatched", 1024, false, 200_000),
];
