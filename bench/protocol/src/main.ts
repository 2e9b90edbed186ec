import { cpus } from "node:os";
import { benchBatches } from "./batches.ts";
import { benchChecksums } from "./checksums.ts";
import { benchCodecs } from "./codecs.ts";
import { benchCommands } from "./commands.ts";
import { benchFrames } from "./frames.ts";

const sections: Readonly<Record<string, () => string | Promise<string>>> = {
  frames: benchFrames,
  batches: benchBatches,
  checksums: benchChecksums,
  commands: benchCommands,
  codecs: benchCodecs,
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in sections));
if (unknown.length > 0) {
  console.error(`unknown: ${unknown.join(", ")}; there are ${Object.keys(sections).join(", ")}`);
  process.exit(2);
}
console.log(`Node ${process.version}, ${cpus()[0]?.model ?? "unknown processor"}; CPU time, best of 9 rounds.\n`);
for (const [name, run] of Object.entries(sections)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(await run());
}
