import { mkdtemp, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { npmCommand } from "./npm-command.ts";
import { runOrThrow } from "./run-program.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Folder outside the workspace in which the packed packages are installed. */
    readonly outside: string;
  }
}

const packages = ["protocol", "client"];

/** Packs what would be published and installs it with npm in a new folder outside the workspace. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const outside = await realpath(await mkdtemp(join(tmpdir(), "pulsewire-outside-")));
  const repository = dirname(dirname(dirname(dirname(fileURLToPath(import.meta.url)))));
  try {
    for (const name of packages) {
      runOrThrow("pnpm", ["pack", "--pack-destination", outside], join(repository, "packages", name));
    }
    const tarballs = (await readdir(outside)).filter((file) => file.endsWith(".tgz"));
    await writeFile(join(outside, "package.json"), `${JSON.stringify({ name: "outside", private: true })}\n`);
    const [file, ...first] = npmCommand();
    const quiet = ["--no-audit", "--no-fund", "--no-update-notifier"];
    const files = tarballs.map((tarball) => `./${tarball}`);
    runOrThrow(file, [...first, "install", "--ignore-scripts", ...quiet, ...files], outside);
  } catch (error) {
    await rm(outside, { recursive: true, force: true });
    throw error;
  }
  project.provide("outside", outside);
  return () => rm(outside, { recursive: true, force: true });
}
