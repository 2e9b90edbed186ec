import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { guardFolder, unguardFolder } from "../process/watchdog.ts";

/** The folder of one instance: temporary, or one that the user named and keeps. */
export class InstanceFolder {
  readonly path: string;
  /** True where the folder stays at the end. */
  readonly isKept: boolean;

  private constructor(path: string, isKept: boolean) {
    this.path = path;
    this.isKept = isKept;
  }

  /** Makes the folder; a temporary one is removed when this process is gone, however it went. */
  static async open(dir: string | undefined, keep: boolean): Promise<InstanceFolder> {
    if (dir !== undefined) {
      await mkdir(dir, { recursive: true });
      return new InstanceFolder(resolve(dir), true);
    }
    const path = await mkdtemp(join(await realpath(tmpdir()), "pulsewire-pulsar-"));
    if (!keep) guardFolder(path);
    return new InstanceFolder(path, keep);
  }

  /** What an earlier start in this folder left for later ones, or undefined. */
  async readMemory(): Promise<unknown> {
    try {
      return JSON.parse(await readFile(this.#memoryFile, "utf8")) as unknown;
    } catch {
      return undefined;
    }
  }

  /** Leaves something for later starts in this folder. */
  async writeMemory(memory: unknown): Promise<void> {
    await writeFile(this.#memoryFile, `${JSON.stringify(memory, undefined, 2)}\n`, { mode: 0o600 });
  }

  /** Removes data of a start that did not succeed. */
  async clearData(): Promise<void> {
    await rm(join(this.path, "data"), { recursive: true, force: true });
  }

  /** Leaves a temporary folder behind, for a look at its logs. */
  leaveBehind(): void {
    unguardFolder(this.path);
  }

  /** Removes the folder unless it is to be kept. */
  async close(): Promise<void> {
    if (this.isKept) return;
    await rm(this.path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    unguardFolder(this.path);
  }

  get #memoryFile(): string {
    return join(this.path, "instance.json");
  }
}
