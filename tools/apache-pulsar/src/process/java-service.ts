import { Deadline, type WaitOptions } from "../deadline.ts";
import { LauncherError } from "../errors.ts";
import { type JavaCommand, JavaProcess } from "./java-process.ts";
import { fileSize, lastLines, readFrom, tellsBindClash } from "./log-file.ts";

/** What a {@link JavaService} is made from. */
export interface JavaServiceOptions {
  /** For messages, e.g. `broker 1`. */
  readonly name: string;
  readonly command: JavaCommand;
  /** Undefined once its JVM may be started, else what is still in the way, in words. Default: nothing ever is. */
  readonly obstacle?: (signal: AbortSignal) => Promise<string | undefined>;
  /** Undefined once the service may be used, else what is still missing, in words. Must not throw for "not yet". */
  readonly missing: (signal: AbortSignal) => Promise<string | undefined>;
  /** Time for an orderly end before it is killed, in milliseconds. */
  readonly graceMs: number;
  readonly startTimeoutMs: number;
}

type State =
  | { readonly kind: "stopped" }
  | { readonly kind: "starting"; readonly process: JavaProcess | undefined }
  | { readonly kind: "running"; readonly process: JavaProcess }
  | { readonly kind: "stopping"; readonly process: JavaProcess };

/** A service that may be started, stopped and killed again and again, keeping its ports and data. */
export class JavaService {
  readonly name: string;
  readonly logFile: string;
  readonly #options: JavaServiceOptions;
  #state: State = { kind: "stopped" };
  /** Ends when the operation before the next one has ended: starts and stops never interleave. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: JavaServiceOptions) {
    this.#options = options;
    this.name = options.name;
    this.logFile = options.command.logFile;
  }

  /** `running` means usable when last looked at; a service that died by itself is `stopped`. */
  get state(): "stopped" | "starting" | "running" | "stopping" {
    return this.#state.kind;
  }

  /** The process id of its JVM, or undefined while there is none. */
  get pid(): number | undefined {
    return this.#state.kind === "stopped" ? undefined : this.#state.process?.pid;
  }

  /** Starts the service and waits until it is usable; nothing happens where it is running. */
  async start(wait: WaitOptions = {}): Promise<void> {
    const deadline = new Deadline(`the start of ${this.name}`, wait, this.#options.startTimeoutMs);
    await this.#inTurn(async () => {
      if (this.#state.kind !== "running") await this.#start(deadline);
    });
  }

  /** Ends the service in an orderly way; nothing happens where it is stopped. */
  async stop(): Promise<void> {
    await this.#inTurn(async () => {
      if (this.#state.kind !== "running") return;
      const { process } = this.#state;
      this.#state = { kind: "stopping", process };
      await process.stop(this.#options.graceMs);
      this.#state = { kind: "stopped" };
    });
  }

  /** Kills the JVM (SIGKILL) at once, also in the middle of a start, which then fails. */
  async kill(): Promise<void> {
    if (this.#state.kind !== "stopped") await this.#state.process?.kill();
    await this.#inTurn(async () => {
      if (this.#state.kind === "running") await this.#state.process.kill();
      this.#state = { kind: "stopped" };
    });
  }

  /** Resolves once it does not run: stopped, killed or died by itself; at once where it is not running now. */
  async untilStopped(): Promise<void> {
    if (this.#state.kind === "running" || this.#state.kind === "stopping") await this.#state.process.untilExit();
  }

  /** {@link stop}, then {@link start}. */
  async restart(wait: WaitOptions = {}): Promise<void> {
    await this.stop();
    await this.start(wait);
  }

  async #inTurn(operation: () => Promise<void>): Promise<void> {
    const before = this.#last;
    const turn = before.then(operation, operation);
    this.#last = turn.catch(() => undefined);
    await turn;
  }

  async #start(deadline: Deadline): Promise<void> {
    deadline.check();
    const { command } = this.#options;
    const logStart = await fileSize(command.logFile);
    this.#state = { kind: "starting", process: undefined };
    try {
      await this.#untilClear(deadline);
      const process = await JavaProcess.start(command);
      this.#state = { kind: "starting", process };
      try {
        await this.#untilUsable(process, deadline, logStart);
      } catch (error) {
        await process.kill();
        throw error;
      }
      this.#state = { kind: "running", process };
      void process.exited.then(() => {
        if (this.#state.kind === "running" && this.#state.process === process) this.#state = { kind: "stopped" };
      });
    } catch (error) {
      this.#state = { kind: "stopped" };
      throw error;
    }
  }

  async #untilClear(deadline: Deadline): Promise<void> {
    for (;;) {
      const obstacle = await this.#options.obstacle?.(deadline.signal);
      if (deadline.isOver) throw deadline.error(`It waited for ${obstacle ?? "nothing"}.`);
      if (obstacle === undefined) return;
      await deadline.pause(50);
    }
  }

  async #untilUsable(process: JavaProcess, deadline: Deadline, logStart: number): Promise<void> {
    let missing: string | undefined = "its JVM to start";
    const logTail = async (): Promise<string> => await readFrom(this.logFile, logStart);
    const explain = (log: string): string =>
      `It waited for ${missing ?? "nothing"}. Log: ${this.logFile}\n${lastLines(log, 25)}`;
    for (;;) {
      if (process.exitStatus !== undefined) {
        const log = await logTail();
        const { code, signal } = process.exitStatus;
        const how = signal === null ? `exit code ${String(code)}` : signal;
        throw new ServiceStartError(
          `${this.name} ended while it started (${how}). ${explain(log)}`,
          tellsBindClash(log),
        );
      }
      if (deadline.isOver) throw deadline.error(explain(await logTail()));
      missing = await this.#options.missing(AbortSignal.any([deadline.signal, AbortSignal.timeout(5_000)]));
      if (missing === undefined) return;
      await Promise.race([process.exited, deadline.pause(50).catch(() => undefined)]);
    }
  }
}

/** A service ended before it was usable. */
export class ServiceStartError extends LauncherError {
  /** True where its log tells that a port was taken: another port may help. */
  readonly bindClash: boolean;

  constructor(message: string, bindClash: boolean) {
    super("START_FAILED", message);
    this.name = "ServiceStartError";
    this.bindClash = bindClash;
  }
}
