// The workspace as the commands need it: its tools, its packages, its dependencies installed.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { childEnvironment } from "./child-environment.mjs";
import { CommandError, explainInstallFailure } from "./command-error.mjs";
import { ensurePnpm, repository } from "./pnpm.mjs";
import { say, withProgress } from "./progress.mjs";
import { interruptedCode, runCommand } from "./run-command.mjs";

/** Folders whose subfolders are packages. */
const packageFolders = ["packages", "apps", "tools", "bench"];

/**
 * Brings pnpm and installs what pnpm-lock.yaml names.
 * @returns {Promise<NodeJS.ProcessEnv>} the environment for whatever runs next
 */
export async function prepareWorkspace() {
  const folder = await ensurePnpm(say);
  const env = childEnvironment(process.env, folder);
  const pnpm = join(folder, process.platform === "win32" ? "pnpm.cmd" : "pnpm");
  const { code, output } = await withProgress("installing dependencies", () =>
    runCommand(pnpm, ["install", "--frozen-lockfile", "--prefer-offline"], { cwd: repository, env, output: "capture" }),
  );
  throwIfInterrupted();
  if (code !== 0) throw explainInstallFailure("the dependencies could not be installed", output);
  return env;
}

/** Ends the command quietly where Ctrl-C or a signal asked for it. */
export function throwIfInterrupted() {
  if (interruptedCode() !== undefined) throw new CommandError("interrupted");
}

/** The arguments that run turbo with this Node. */
export function turbo(...args) {
  return [process.execPath, join(repository, "node_modules", "turbo", "bin", "turbo"), "run", "--ui=stream", ...args];
}

/**
 * All packages of the workspace.
 * @returns {readonly { readonly folder: string, readonly name: string, readonly scripts: Record<string, string> }[]}
 */
export function workspacePackages() {
  return packageFolders.flatMap((parent) =>
    foldersIn(join(repository, parent)).flatMap((folder) => {
      const manifest = readManifest(folder);
      return manifest === undefined ? [] : [{ folder, name: manifest.name, scripts: manifest.scripts ?? {} }];
    }),
  );
}

function foldersIn(parent) {
  try {
    const entries = readdirSync(parent, { withFileTypes: true });
    return entries.filter((entry) => entry.isDirectory()).map((entry) => join(parent, entry.name));
  } catch {
    return [];
  }
}

function readManifest(folder) {
  try {
    return JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  } catch {
    return undefined;
  }
}
