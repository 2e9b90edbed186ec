import { AwsCrc32c } from "@aws-crypto/crc32c";
import { crc32c as nodeRs } from "@node-rs/crc32";
import { crc32c } from "@pulsewire/protocol";
import { type Measurement, measure } from "./measure.ts";
import { asFromSocket, noise } from "./socket-bytes.ts";
import { renderTable } from "./table.ts";

const SIZES = [100, 1024, 10_240, 102_400];

/** CRC32-C beside the packages that offer it. */
export function benchChecksums(): string {
  const candidates: readonly (readonly [string, (bytes: Buffer) => unknown])[] = [
    ["@pulsewire/protocol", (bytes) => crc32c(bytes)],
    ["@node-rs/crc32 (native)", (bytes) => nodeRs(bytes)],
    ["@aws-crypto/crc32c", (bytes) => new AwsCrc32c().update(bytes)],
  ];
  return SIZES.map((size) => {
    const bytes = asFromSocket(noise(size));
    const rows: Measurement[] = candidates.map(([name, run]) =>
      measure(name, { operations: 1, bytes: size }, () => run(bytes)),
    );
    return renderTable(`CRC32-C, ${size} bytes`, "checksum", rows);
  }).join("\n");
}
