import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { LauncherError } from "../errors.ts";
import { guardProcess, unguardProcess } from "./watchdog.ts";

/** One Java program with its arguments. */
export interface JavaCommand {
  readonly java: string;
  readonly jvmArgs: readonly string[];
  readonly classPath: string;
  readonly mainClass: string;
  readonly args: readonly string[];
  /** Working folder. */
  readonly folder: string;
  /** Receives standard output and standard error; appended to. */
  readonly logFile: string;
}

/** How a program ended. */
export interface ExitStatus {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/**
 * A running Java program. It gets no signals of this process' terminal, keeps this process alive by no means, and never
 * outlives it: the watchdog kills it.
 */
export class JavaProcess {
  readonly pid: number;
  /** Resolves when the program has ended, however. */
  readonly exited: Promise<ExitStatus>;
  #status: ExitStatus | undefined;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, pid: number) {
    this.#child = child;
    this.pid = pid;
    this.exited = new Promise((resolve) => {
      child.once("exit", (code, signal) => {
        unguardProcess(pid);
        this.#status = { code, signal };
        resolve(this.#status);
      });
    });
  }

  /** Starts the program; resolves when it is running, though not yet ready for anything. */
  static async start(command: JavaCommand): Promise<JavaProcess> {
    const log = openSync(command.logFile, "a");
    try {
      const args = [...command.jvmArgs, "-cp", command.classPath, command.mainClass, ...command.args];
      const child = spawn(command.java, args, {
        cwd: command.folder,
        stdio: ["ignore", log, log],
        // A terminal's Ctrl-C would stop broker and bookie in any order; the owner stops them in the right one.
        detached: true,
        windowsHide: true,
      });
      const { pid } = child;
      if (pid === undefined) {
        const [cause] = (await once(child, "error")) as [Error];
        throw new LauncherError("START_FAILED", `${command.java} could not be started: ${cause.message}`, { cause });
      }
      guardProcess(pid);
      child.unref();
      return new JavaProcess(child, pid);
    } finally {
      closeSync(log);
    }
  }

  /** How it ended, or undefined while it runs. */
  get exitStatus(): ExitStatus | undefined {
    return this.#status;
  }

  /** As {@link exited}, and keeps this process alive until then. */
  async untilExit(): Promise<ExitStatus> {
    if (this.#status === undefined) this.#child.ref();
    return await this.exited;
  }

  /** Asks the program to end, and kills it if it has not after `graceMs`. Returns how it ended. */
  async stop(graceMs: number): Promise<ExitStatus> {
    if (this.#status !== undefined) return this.#status;
    const timer = setTimeout(() => this.#child.kill("SIGKILL"), graceMs);
    this.#child.kill("SIGTERM");
    try {
      return await this.untilExit();
    } finally {
      clearTimeout(timer);
    }
  }

  /** Kills the program at once (SIGKILL). */
  async kill(): Promise<ExitStatus> {
    if (this.#status !== undefined) return this.#status;
    this.#child.kill("SIGKILL");
    return await this.untilExit();
  }
}
