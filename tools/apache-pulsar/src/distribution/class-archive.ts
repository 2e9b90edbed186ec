import { createHash } from "node:crypto";
import { access, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Deadline, WaitOptions } from "../deadline.ts";
import { withLockFile } from "../files/lock-file.ts";
import { guardFolder, unguardFolder } from "../process/watchdog.ts";
import { distributionFolder } from "./cache-folder.ts";
import type { ProgressListener } from "./class-path.ts";

/** Runs a standalone broker to its end with one more JVM argument; its classes land in the archive as it ends. */
export type TrainingRun = (folder: string, jvmArgument: string, wait: WaitOptions) => Promise<void>;

/**
 * The archive of loaded classes (class data sharing) for a Java and a class path: with it a broker is up in about 60 % of the
 * time. Made once by a training run, which takes about half a minute. Undefined where that failed: brokers then start without.
 */
export async function classArchive(
  javaBuild: string,
  classPath: string,
  deadline: Deadline,
  onProgress: ProgressListener,
  train: TrainingRun,
): Promise<string | undefined> {
  const hash = createHash("sha256").update(`${javaBuild}\n${classPath}`).digest("hex").slice(0, 12);
  const folder = await distributionFolder();
  const file = join(folder, `classes-${hash}.jsa`);
  if (await exists(file)) return file;
  await mkdir(folder, { recursive: true });
  const waiting = (): void => onProgress("waiting for another process that makes the class archive");
  return await withLockFile(`${file}.lock`, deadline, waiting, async () => {
    if (await exists(file)) return file;
    onProgress("making an archive of loaded classes, once (about 30 s); later starts take half the time");
    const temporary = `${file}.${process.pid}`;
    const runFolder = await mkdtemp(join(tmpdir(), "pulsewire-training-"));
    guardFolder(runFolder);
    try {
      await train(runFolder, `-XX:ArchiveClassesAtExit=${temporary}`, { signal: deadline.signal, timeoutMs: 180_000 });
      await rename(temporary, file);
      return file;
    } catch (error) {
      deadline.check();
      onProgress(`no archive of loaded classes: ${error instanceof Error ? error.message : String(error)}`);
      return undefined;
    } finally {
      await rm(temporary, { force: true });
      await rm(runFolder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
      unguardFolder(runFolder);
    }
  });
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    return false;
  }
}
