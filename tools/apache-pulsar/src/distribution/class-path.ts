import { access, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import type { Deadline } from "../deadline.ts";
import { LauncherError } from "../errors.ts";
import { withLockFile } from "../files/lock-file.ts";
import { runCommand } from "../process/run-command.ts";
import { findMaven } from "../requirements/find-maven.ts";
import { distributionFolder, pomFile, pulsarVersion } from "./cache-folder.ts";
import { DownloadProgress } from "./download-progress.ts";

/** Receives one line about what is going on. */
export type ProgressListener = (line: string) => void;

const classPathGoal = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath";

/** The class path from the cache, or undefined where it is not there or one of its jars is gone. */
export async function cachedClassPath(): Promise<string | undefined> {
  try {
    const classPath = (await readFile(join(await distributionFolder(), "classpath"), "utf8")).trim();
    if (classPath === "") return undefined;
    await Promise.all(classPath.split(delimiter).map((jar) => access(jar)));
    return classPath;
  } catch {
    return undefined;
  }
}

/** The class path from the cache, else resolved by Maven, which downloads what the local repository lacks. */
export async function resolveClassPath(deadline: Deadline, onProgress: ProgressListener): Promise<string> {
  const cached = await cachedClassPath();
  if (cached !== undefined) return cached;
  const folder = await distributionFolder();
  await mkdir(folder, { recursive: true });
  const waiting = (): void => onProgress("waiting for another process that resolves Apache Pulsar");
  return await withLockFile(join(folder, "classpath.lock"), deadline, waiting, async () => {
    return (await cachedClassPath()) ?? (await resolveByMaven(folder, deadline, onProgress));
  });
}

async function resolveByMaven(folder: string, deadline: Deadline, onProgress: ProgressListener): Promise<string> {
  const maven = await findMaven(deadline);
  onProgress(
    `resolving Apache Pulsar ${pulsarVersion} by Maven ${maven.version}; a fresh machine downloads about 317 jars (235 MB), once`,
  );
  const output = join(folder, `classpath.${process.pid}`);
  const progress = new DownloadProgress(onProgress);
  try {
    const args = ["-B", "-f", pomFile(), classPathGoal, `-Dmdep.outputFile=${output}`];
    const result = await runCommand(maven.file, args, deadline, (line) => progress.onLine(line));
    if (result.code !== 0) {
      const errors = result.output.split(/\r?\n/u).filter((line) => line.includes("ERROR"));
      throw new LauncherError(
        "RESOLVE_FAILED",
        `Maven could not resolve Apache Pulsar ${pulsarVersion} (exit code ${String(result.code)}):\n${errors.slice(0, 12).join("\n")}`,
      );
    }
    const classPath = (await readFile(output, "utf8")).trim();
    await rm(output, { force: true });
    const temporary = `${output}.ready`;
    await writeFile(temporary, classPath);
    await rename(temporary, join(folder, "classpath"));
    onProgress(`resolved ${classPath.split(delimiter).length} jars (${progress.summary})`);
    return classPath;
  } finally {
    await rm(output, { force: true });
  }
}
