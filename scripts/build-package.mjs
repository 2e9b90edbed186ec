// Builds the package in the current folder into dist/: ES modules (dist/esm) and CommonJS (dist/cjs), each with its
// own declarations. `--esm-only` leaves the CommonJS half out (private packages). It builds beside dist/ and swaps the
// two at the end, so that whoever runs from dist/ meanwhile finds it whole.
import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const require = createRequire(import.meta.url);
const repository = join(dirname(fileURLToPath(import.meta.url)), "..");
const tsc = join(dirname(require.resolve("typescript/package.json")), "bin/tsc");
const withCommonJs = !process.argv.includes("--esm-only");
const folder = process.cwd();

const building = `dist.${process.pid}`;
process.on("exit", () => rmSync(building, { recursive: true, force: true }));
compile("tsconfig.build.json", "esm");
copyGenerated("esm");
if (withCommonJs) {
  // tsc resolves ${configDir} from the file it is given, so the config for CommonJS is written into the package.
  const config = "tsconfig.build.cjs.json";
  writeFileSync(config, JSON.stringify({ extends: join(repository, config) }));
  try {
    compile(config, "cjs");
  } finally {
    rmSync(config);
  }
  writeFileSync(`${building}/cjs/package.json`, `${JSON.stringify({ type: "commonjs" })}\n`);
  copyGenerated("cjs");
}
rmSync("dist", { recursive: true, force: true });
renameSync(building, "dist");

function compile(config, format) {
  const options = ["-p", config, "--outDir", `${building}/${format}`];
  const { status } = spawnSync(process.execPath, [tsc, ...options], { stdio: "inherit", cwd: folder });
  if (status !== 0) process.exit(status ?? 1);
}

/** The generated codec is JavaScript with declarations of its own: tsc does not copy such a pair. */
function copyGenerated(format) {
  const source = "src/gen";
  if (!existsSync(source)) return;
  const target = `${building}/${format}/gen`;
  mkdirSync(target, { recursive: true });
  cpSync(`${source}/${format === "cjs" ? "cjs/" : ""}pulsar-api.js`, `${target}/pulsar-api.js`);
  writeFileSync(`${target}/pulsar-api.d.ts`, readFileSync(`${source}/pulsar-api.d.ts`));
}
