import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Job, type Outcome, parseOutcome } from "./job.ts";
import { runCommand } from "./run-command.ts";

/** A client under measurement: a program that does one job. */
export interface Peer {
  readonly name: string;
  run(job: Job): Promise<Outcome>;
}

interface Recipe {
  /** Folder of its sources in `peers/`, or undefined where nothing is built. */
  readonly sources: string | undefined;
  /** Builds into a folder. */
  build(sources: string, target: string): Promise<void>;
  /** The command that runs it: file, then arguments before the job. */
  command(target: string): readonly [file: string, ...args: string[]];
}

const here = fileURLToPath(new URL(".", import.meta.url));
const BUILD_TIMEOUT_MS = 1_200_000;
const RUN_TIMEOUT_MS = 180_000;

const recipes: Readonly<Record<string, Recipe>> = {
  pulsewire: {
    sources: undefined,
    build: async () => undefined,
    // The built packages without a loader, as users run them.
    command: () => [process.execPath, "--import", "tsx", join(here, "pulsewire-peer.ts")],
  },
  go: {
    sources: "go",
    async build(sources, target) {
      // Without cgo nothing but Go itself is needed.
      const env = { CGO_ENABLED: "0" };
      await runCommand("go", ["build", "-o", join(target, "bench"), "."], {
        cwd: sources,
        env,
        timeoutMs: BUILD_TIMEOUT_MS,
      });
    },
    command: (target) => [join(target, "bench")],
  },
  java: {
    sources: "java",
    async build(sources, target) {
      const options = { cwd: sources, timeoutMs: BUILD_TIMEOUT_MS };
      const library = join(target, "lib");
      await runCommand("mvn", ["-q", "-B", "dependency:copy-dependencies", `-DoutputDirectory=${library}`], options);
      await runCommand("javac", ["-d", join(target, "classes"), "-cp", join(library, "*"), "Bench.java"], options);
    },
    command: (target) => ["java", "-cp", [join(target, "classes"), join(target, "lib", "*")].join(delimiter), "Bench"],
  },
  python: {
    sources: "python",
    async build(sources, target) {
      const options = { timeoutMs: BUILD_TIMEOUT_MS };
      await runCommand("python3", ["-m", "venv", target], options);
      const pip = [
        "-m",
        "pip",
        "install",
        "-q",
        "--disable-pip-version-check",
        "-r",
        join(sources, "requirements.txt"),
      ];
      await runCommand(join(target, "bin", "python"), pip, options);
    },
    command: (target) => [join(target, "bin", "python"), join(here, "..", "peers", "python", "bench.py")],
  },
};

/** Names of all clients, ours first. */
export const PEER_NAMES: readonly string[] = Object.keys(recipes);

/** Makes a client's program ready, building it once; the result is kept in `~/.cache/pulsewire`. */
export async function preparePeer(name: string): Promise<Peer> {
  const recipe = recipes[name];
  if (recipe === undefined) throw new Error(`no client ${name}; there are ${PEER_NAMES.join(", ")}`);
  const target =
    recipe.sources === undefined ? here : await built(name, recipe, join(here, "..", "peers", recipe.sources));
  const [file, ...args] = recipe.command(target);
  return {
    name,
    run: async (job) =>
      parseOutcome(await runCommand(file, [...args, JSON.stringify(job)], { cwd: here, timeoutMs: RUN_TIMEOUT_MS })),
  };
}

async function built(name: string, recipe: Recipe, sources: string): Promise<string> {
  const target = join(homedir(), ".cache", "pulsewire", `bench-${name}-${await fingerprint(sources)}`);
  if (existsSync(join(target, ".built"))) return target;
  console.error(`building the ${name} client's program ...`);
  await rm(target, { recursive: true, force: true });
  await mkdir(target, { recursive: true });
  await recipe.build(sources, target);
  // A build that was cut off leaves no mark and is made again.
  await mkdir(join(target, ".building"));
  await rename(join(target, ".building"), join(target, ".built"));
  return target;
}

async function fingerprint(folder: string): Promise<string> {
  const hash = createHash("sha256");
  for (const file of (await readdir(folder)).sort()) hash.update(file).update(await readFile(join(folder, file)));
  return hash.digest("hex").slice(0, 12);
}
