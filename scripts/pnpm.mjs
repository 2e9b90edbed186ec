// Brings the pnpm that package.json pins, by npm alone, into .pulsewire/pnpm: no corepack, nothing global.
// `node scripts/pnpm.mjs --print-path` prints the folder of the executable, for the search path of a shell.
import "./check-node.mjs";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { childEnvironment } from "./child-environment.mjs";
import { CommandError, explainInstallFailure } from "./command-error.mjs";
import { interruptedCode, runCommand } from "./run-command.mjs";

export const repository = dirname(dirname(fileURLToPath(import.meta.url)));
const home = join(repository, ".pulsewire", "pnpm");
const executables = process.platform === "win32" ? ["pnpm.exe", "pnpm.cmd"] : ["pnpm"];

/** The version in `packageManager` of package.json, e.g. `12.4.2`. */
export function pinnedVersion() {
  const { packageManager } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8"));
  const version = /^pnpm@(\d+\.\d+\.\d+[^+]*)/.exec(packageManager ?? "")?.[1];
  if (version === undefined) throw new CommandError(`packageManager in package.json pins no pnpm: ${packageManager}`);
  return version;
}

/**
 * Finds the pinned pnpm in the repository or on the search path, or installs it.
 * @param {(line: string) => void} onProgress called before the download
 * @returns {Promise<string>} the folder of the executable
 */
export async function ensurePnpm(onProgress) {
  const version = pinnedVersion();
  const own = join(home, "node_modules", ".bin");
  if (installedVersion(home) === version && hasExecutable(own)) return own;
  const onPath = await findOnPath(version);
  if (onPath !== undefined) return onPath;
  onProgress(`fetching pnpm ${version} (once)`);
  await install(version);
  return own;
}

function installedVersion(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, "node_modules", "pnpm", "package.json"), "utf8")).version;
  } catch {
    return undefined;
  }
}

function hasExecutable(folder) {
  return executables.some((name) => existsSync(join(folder, name)));
}

async function findOnPath(version) {
  const env = childEnvironment(process.env, undefined);
  const folder = (env.PATH ?? env.Path ?? "")
    .split(delimiter)
    .find((candidate) => candidate && hasExecutable(candidate));
  if (folder === undefined) return undefined;
  return (await versionOf(folder, env)) === version ? folder : undefined;
}

async function versionOf(folder, env) {
  const name = executables.find((candidate) => existsSync(join(folder, candidate)));
  // Not inside the repository: there another pnpm would fetch the pinned one and answer in its name, as would corepack.
  const options = { cwd: tmpdir(), env: { ...env, COREPACK_ENABLE_NETWORK: "0" }, output: "capture" };
  try {
    const { code, output } = await runCommand(join(folder, name), ["--version"], options);
    return code === 0 ? output.trim() : undefined;
  } catch {
    return undefined;
  }
}

async function install(version) {
  // Beside its final place, so that an interrupted download is never taken for a whole one.
  const draft = `${home}-${process.pid}`;
  const env = childEnvironment(process.env, undefined);
  try {
    mkdirSync(draft, { recursive: true });
    writeFileSync(join(draft, "package.json"), `${JSON.stringify({ private: true })}\n`);
    const args = ["install", `pnpm@${version}`, "--prefix", draft, "--include=optional", "--no-audit", "--no-fund"];
    const [file, ...first] = npmCommand();
    const options = { cwd: draft, env, output: "capture" };
    const { code, output } = await runCommand(
      file,
      [...first, ...args, "--no-update-notifier", "--no-workspaces"],
      options,
    );
    if (interruptedCode() !== undefined) throw new CommandError("interrupted");
    if (code !== 0) throw explainInstallFailure(`pnpm ${version} could not be fetched by npm`, output);
    const found = await versionOf(join(draft, "node_modules", ".bin"), env);
    if (found !== version) throw new CommandError(`pnpm ${version} was fetched, but does not run on this machine`);
    rmSync(home, { recursive: true, force: true });
    renameSync(draft, home);
  } catch (error) {
    if (error instanceof CommandError) throw error;
    throw explainInstallFailure(`pnpm ${version} could not be installed`, String(error));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

/** npm as a script of this Node where it can be found: on Windows the command of the search path needs a shell. */
function npmCommand() {
  const beside = dirname(process.execPath);
  const scripts = [
    process.env.npm_execpath,
    join(beside, "node_modules", "npm", "bin", "npm-cli.js"),
    join(beside, "..", "lib", "node_modules", "npm", "bin", "npm-cli.js"),
  ];
  const script = scripts.find((path) => path?.endsWith("npm-cli.js") && existsSync(path));
  return script === undefined ? ["npm"] : [process.execPath, script];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  try {
    const folder = await ensurePnpm((line) => console.error(line));
    if (process.argv.includes("--print-path")) console.log(folder);
    else console.error(`pnpm ${pinnedVersion()} is in ${folder}`);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    console.error(error.message);
    process.exitCode = interruptedCode() ?? 1;
  }
}
