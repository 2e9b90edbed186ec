import { open, readFile, rm, stat } from "node:fs/promises";
import type { Deadline } from "../deadline.ts";

/** An empty lock this old was left by a process that died before it could sign it. */
const unsignedLockAgeMs = 10_000;

/**
 * Runs `work` while no other process holds the lock file; a lock whose owner is gone is taken over.
 * `onWait` is called once where there is somebody to wait for.
 */
export async function withLockFile<T>(
  file: string,
  deadline: Deadline,
  onWait: () => void,
  work: () => Promise<T>,
): Promise<T> {
  let waiting = false;
  while (!(await take(file))) {
    if (await isAbandoned(file)) {
      await rm(file, { force: true });
      continue;
    }
    if (!waiting) onWait();
    waiting = true;
    await deadline.pause(200);
  }
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function take(file: string): Promise<boolean> {
  try {
    const handle = await open(file, "wx");
    await handle.writeFile(String(process.pid));
    await handle.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}

async function isAbandoned(file: string): Promise<boolean> {
  try {
    const owner = Number(await readFile(file, "utf8"));
    if (owner > 0) return !isAlive(owner);
    return Date.now() - (await stat(file)).mtimeMs > unsignedLockAgeMs;
  } catch {
    return false;
  }
}

/** True while a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
