import { crc32c } from "../checksum/crc32c.ts";
import { ProtocolError } from "../errors.ts";
import { readUint32 } from "../protobuf/raw-bytes.ts";

/** Announces broker entry metadata. */
export const MAGIC_BROKER_ENTRY_METADATA = 0x0e02;
/** Announces a checksum. */
export const MAGIC_CRC32C = 0x0e01;

/**
 * Where the pieces of a payload part lie, as offsets into the buffer it was read from.
 *
 * | size | meaning                                                          |
 * | ---- | ---------------------------------------------------------------- |
 * | 2    | 0x0e02, only with broker entry metadata                          |
 * | 4    | its size                                                         |
 * | n    | BrokerEntryMetadata, not covered by the checksum                 |
 * | 2    | 0x0e01, only with a checksum                                     |
 * | 4    | CRC32-C over everything that follows                             |
 * | 4    | metadata size                                                    |
 * | n    | MessageMetadata                                                  |
 * | rest | payload                                                          |
 */
export interface PayloadPart {
  /** Start and end of the broker entry metadata, both -1 where there is none. */
  readonly brokerEntryMetadataStart: number;
  readonly brokerEntryMetadataEnd: number;
  /** The stored checksum; undefined where the entry has none, which is allowed. */
  readonly checksum: number | undefined;
  /** Where the bytes under the checksum begin: at the metadata size. */
  readonly checksumStart: number;
  readonly metadataStart: number;
  readonly metadataEnd: number;
  /** The payload goes from `metadataEnd` to here. */
  readonly end: number;
}

/**
 * Finds the pieces of a payload part. It verifies sizes, not the checksum: see {@link verifyChecksum}.
 *
 * @throws ProtocolError `FRAME_TRUNCATED`, `INVALID_SIZE` or `INVALID_MAGIC`.
 */
export function readPayloadPart(buffer: Uint8Array, start: number, end: number): PayloadPart {
  let pos = start;
  let brokerEntryMetadataStart = -1;
  let brokerEntryMetadataEnd = -1;
  if (magicAt(buffer, pos, end) === MAGIC_BROKER_ENTRY_METADATA) {
    const size = sizeAt(buffer, pos + 2, end, "broker entry metadata");
    brokerEntryMetadataStart = pos + 6;
    brokerEntryMetadataEnd = brokerEntryMetadataStart + size;
    pos = brokerEntryMetadataEnd;
  }
  let checksum: number | undefined;
  const magic = magicAt(buffer, pos, end);
  if (magic === MAGIC_CRC32C) {
    if (end - pos < 6) throw truncated("checksum", pos);
    checksum = readUint32(buffer, pos + 2);
    pos += 6;
  } else if (magic === MAGIC_BROKER_ENTRY_METADATA) {
    throw new ProtocolError("INVALID_MAGIC", "broker entry metadata stands twice", { offset: pos });
  }
  const metadataSize = sizeAt(buffer, pos, end, "metadata");
  const metadataStart = pos + 4;
  return {
    brokerEntryMetadataStart,
    brokerEntryMetadataEnd,
    checksum,
    checksumStart: pos,
    metadataStart,
    metadataEnd: metadataStart + metadataSize,
    end,
  };
}

/**
 * Compares the stored checksum with the bytes. A part without checksum passes.
 *
 * @throws ProtocolError `CHECKSUM_MISMATCH`.
 */
export function verifyChecksum(bytes: Uint8Array, part: PayloadPart): void {
  if (part.checksum === undefined) return;
  const computed = crc32c(bytes, part.checksumStart, part.end);
  if (computed !== part.checksum) {
    const reason = `checksum is ${hex(computed)} where the frame says ${hex(part.checksum)}`;
    throw new ProtocolError("CHECKSUM_MISMATCH", reason, { offset: part.checksumStart });
  }
}

function magicAt(buffer: Uint8Array, pos: number, end: number): number {
  if (end - pos < 2) throw truncated("payload part", pos);
  return ((buffer[pos] as number) << 8) | (buffer[pos + 1] as number);
}

function sizeAt(buffer: Uint8Array, pos: number, end: number, what: string): number {
  if (end - pos < 4) throw truncated(`${what} size`, pos);
  const size = readUint32(buffer, pos);
  if (size > end - pos - 4) {
    const reason = `${what} of ${size} bytes does not fit into the ${end - pos - 4} that are left`;
    throw new ProtocolError("INVALID_SIZE", reason, { offset: pos });
  }
  return size;
}

function truncated(what: string, offset: number): ProtocolError {
  return new ProtocolError("FRAME_TRUNCATED", `${what} is cut off`, { offset });
}

function hex(value: number): string {
  return `0x${value.toString(16).padStart(8, "0")}`;
}
