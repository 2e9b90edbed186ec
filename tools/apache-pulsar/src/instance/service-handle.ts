import type { WaitOptions } from "../deadline.ts";
import type { JavaService } from "../process/java-service.ts";

/** A JVM of an instance, which may be started, stopped and killed again and again; its ports and data stay. */
export interface ServiceHandle {
  /** For people, e.g. `broker 1`. */
  readonly name: string;
  /** Its log, appended to over all starts. */
  readonly logFile: string;
  /** `running` means usable; a service that died by itself is `stopped`. */
  readonly state: "stopped" | "starting" | "running" | "stopping";
  /** Process id of its JVM, or undefined while there is none. */
  readonly pid: number | undefined;
  /** Starts it and waits until it is usable (default of `timeoutMs`: 120 000); does nothing where it is running. */
  start(options?: WaitOptions): Promise<void>;
  /** Ends it in an orderly way, by force only after 30 s; does nothing where it is stopped. */
  stop(): Promise<void>;
  /** Kills it at once (SIGKILL), also in the middle of a start. */
  kill(): Promise<void>;
  /** Resolves once it does not run, for whatever reason; at once where it is not running now. */
  untilStopped(): Promise<void>;
  /** Stops it, then starts it. */
  restart(options?: WaitOptions): Promise<void>;
}

/** The handle over a service. */
export class Service implements ServiceHandle {
  readonly #service: JavaService;

  constructor(service: JavaService) {
    this.#service = service;
  }

  get name(): string {
    return this.#service.name;
  }

  get logFile(): string {
    return this.#service.logFile;
  }

  get state(): ServiceHandle["state"] {
    return this.#service.state;
  }

  get pid(): number | undefined {
    return this.#service.pid;
  }

  async start(options?: WaitOptions): Promise<void> {
    await this.#service.start(options);
  }

  async stop(): Promise<void> {
    await this.#service.stop();
  }

  async kill(): Promise<void> {
    await this.#service.kill();
  }

  async restart(options?: WaitOptions): Promise<void> {
    await this.#service.restart(options);
  }

  async untilStopped(): Promise<void> {
    await this.#service.untilStopped();
  }
}
