import { ProtocolError } from "../errors.ts";
import { type Int64, toBigInt } from "../int64/int64.ts";

/** Bounds of one chunk in the payload that is cut: bytes `start` up to, not including, `end`. */
export interface ChunkBounds {
  readonly chunkId: number;
  readonly start: number;
  readonly end: number;
}

/**
 * Cuts a payload, already compressed and not yet encrypted, into chunks: all full but the last. An empty payload is one
 * empty chunk.
 *
 * @param payloadSize bytes of the payload, `total_chunk_msg_size` in the metadata of each chunk
 * @param maxChunkSize most bytes of a chunk: the maximum message size less the size of the serialised metadata
 * @throws ProtocolError `INVALID_CHUNK` when no chunk can hold anything, or for sizes that are none
 */
export function planChunks(payloadSize: number, maxChunkSize: number): ChunkBounds[] {
  if (!Number.isSafeInteger(payloadSize) || payloadSize < 0) {
    throw new ProtocolError("INVALID_CHUNK", `payload size ${payloadSize} is no size`);
  }
  if (!Number.isSafeInteger(maxChunkSize) || maxChunkSize < 1) {
    throw new ProtocolError("INVALID_CHUNK", `chunks of at most ${maxChunkSize} bytes have no room for a payload`);
  }
  const chunks: ChunkBounds[] = [];
  for (let start = 0; start < payloadSize || chunks.length === 0; start += maxChunkSize) {
    chunks.push({ chunkId: chunks.length, start, end: Math.min(start + maxChunkSize, payloadSize) });
  }
  return chunks;
}

/** The text that ties the chunks of a message together, `uuid` in their metadata. */
export function chunkUuid(producerName: string, sequenceId: Int64): string {
  return `${producerName}-${toBigInt(sequenceId)}`;
}
