import { ProtocolError } from "../errors.ts";

/** The wire's numbers of the compression types. */
const WIRE_NUMBERS = { NONE: 0, LZ4: 1, ZLIB: 2, ZSTD: 3, SNAPPY: 4 } as const;

/** How the payload of a message, or the container of a batch, is compressed. */
export type CompressionType = keyof typeof WIRE_NUMBERS;

/** All compression types in the order of their wire numbers. */
export const COMPRESSION_TYPES: readonly CompressionType[] = ["NONE", "LZ4", "ZLIB", "ZSTD", "SNAPPY"];

/**
 * One compression format as Pulsar uses it. Both ways are synchronous and pure, work on any input, and leave it as it is.
 */
export interface CompressionCodec {
  readonly type: CompressionType;
  /**
   * Compresses a whole payload into a buffer of its own.
   *
   * @param level the format's own scale, where it has one; default the format's usual one
   */
  compress(input: Uint8Array, level?: number): Uint8Array;
  /**
   * Restores a payload of exactly `uncompressedSize` bytes, without ever writing more. The caller has checked the size
   * against its maximum: see {@link decompressPayload}.
   *
   * @throws ProtocolError `DECOMPRESSION_FAILED` for damaged input, `UNCOMPRESSED_SIZE` when it holds another length
   */
  decompress(input: Uint8Array, uncompressedSize: number): Uint8Array;
}

/** The wire number of a compression type. */
export function compressionTypeToWire(type: CompressionType): number {
  return WIRE_NUMBERS[type];
}

/**
 * The compression type of a wire number.
 *
 * @throws ProtocolError `UNSUPPORTED_COMPRESSION` for a number that this version does not know
 */
export function compressionTypeFromWire(number: number): CompressionType {
  const type = COMPRESSION_TYPES[number];
  if (type === undefined) throw new ProtocolError("UNSUPPORTED_COMPRESSION", `compression type ${number} is not known`);
  return type;
}

/**
 * Decompresses a received payload. Its claimed size is compared with the maximum before anything is allocated, and with
 * the true size afterwards, also where the codec was plugged in.
 *
 * @param maxUncompressedSize most bytes that the caller takes, e.g. the connection's maximum message size
 * @throws ProtocolError `UNCOMPRESSED_SIZE` for a size beyond the maximum or a false one, `DECOMPRESSION_FAILED` for damage
 */
export function decompressPayload(
  codec: CompressionCodec,
  input: Uint8Array,
  uncompressedSize: number,
  maxUncompressedSize: number,
): Uint8Array {
  if (codec.type === "NONE") return input;
  if (!Number.isInteger(uncompressedSize) || uncompressedSize < 0) {
    throw new ProtocolError("UNCOMPRESSED_SIZE", `uncompressed size ${uncompressedSize} is no size`);
  }
  if (uncompressedSize > maxUncompressedSize) {
    throw new ProtocolError(
      "UNCOMPRESSED_SIZE",
      `uncompressed size ${uncompressedSize} exceeds the maximum of ${maxUncompressedSize}`,
    );
  }
  // Java's zlib leaves nothing of nothing; the other formats write at least a byte, but nobody is served by refusing.
  if (uncompressedSize === 0 && input.length === 0) return input;
  const output = codec.decompress(input, uncompressedSize);
  if (output.length !== uncompressedSize) throw wrongSize(codec.type, uncompressedSize, output.length);
  return output;
}

/** The refusal of a payload whose true length is not the one its metadata claims. */
export function wrongSize(type: CompressionType, claimed: number, found: number | "more"): ProtocolError {
  return new ProtocolError("UNCOMPRESSED_SIZE", `${type} payload claims ${claimed} bytes but holds ${found}`);
}

/** The refusal of a payload that breaks its format. */
export function damaged(type: CompressionType, reason: string, offset?: number, cause?: unknown): ProtocolError {
  return new ProtocolError("DECOMPRESSION_FAILED", `${type} payload is damaged: ${reason}`, {
    ...(offset === undefined ? {} : { offset }),
    cause,
  });
}
