import { readFileSync } from "node:fs";
import loadWabt from "wabt";

/** Assembles the module's text and returns its bytes as base64. */
export async function assembleCrc32c(): Promise<string> {
  const text = readFileSync(new URL("../../src/checksum/crc32c.wat", import.meta.url), "utf8");
  const wabt = await loadWabt();
  const module = wabt.parseWat("crc32c.wat", text);
  try {
    return Buffer.from(module.toBinary({}).buffer).toString("base64");
  } finally {
    module.destroy();
  }
}
