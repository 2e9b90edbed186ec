import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { report } from "../run/strict-mode.ts";

/** Sources of the peers' programs. */
export const interopFolder: string = fileURLToPath(new URL("../../interop", import.meta.url));

/** How a peer's program is run. */
export interface PeerCommand {
  readonly command: string;
  readonly args: readonly string[];
}

/** Where built peers are kept: `$PULSEWIRE_CACHE`, else `~/.cache/pulsewire`. */
function cacheFolder(): string {
  return process.env["PULSEWIRE_CACHE"] || join(homedir(), ".cache", "pulsewire");
}

/**
 * The folder with a built peer, named after the content of its sources. `build` fills it where it is not there yet; a
 * half-built folder is never taken for a built one.
 *
 * @param place `final` builds where the folder stays, for what cannot be moved (a Python environment)
 */
export async function builtOnce(
  peer: string,
  sources: readonly string[],
  build: (folder: string) => Promise<void>,
  place: "moved" | "final" = "moved",
): Promise<string> {
  const hash = createHash("sha256");
  for (const source of sources) hash.update(await readFile(join(interopFolder, source)));
  const folder = join(cacheFolder(), `interop-${peer}-${hash.digest("hex").slice(0, 12)}`);
  const mark = join(folder, "built");
  if (existsSync(mark)) return folder;
  report(`building the ${peer} peer in ${folder} (once)`);
  const target = place === "final" ? folder : `${folder}.${String(process.pid)}`;
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await build(target);
  await mkdir(join(target, "built"));
  if (target !== folder) {
    await rm(folder, { recursive: true, force: true });
    await rename(target, folder);
  }
  report(`the ${peer} peer is built`);
  return folder;
}

/** Runs a program to its end; fails with the end of what it printed. Resolves with its standard output. */
export async function run(command: string, args: readonly string[], cwd: string): Promise<string> {
  const child = spawn(command, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let all = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    all += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    all += text;
  });
  const code = await new Promise<number | string>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (exitCode, signal) => resolve(exitCode ?? signal ?? "unknown"));
  });
  if (code !== 0) {
    throw new Error(`${command} ${args.join(" ")} ended with ${String(code)}:\n${all.slice(-4000)}`);
  }
  return output;
}
