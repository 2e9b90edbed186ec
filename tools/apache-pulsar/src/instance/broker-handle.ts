import { AdminClient } from "../admin/admin-client.ts";
import type { BrokerPorts } from "../broker-config/broker-settings.ts";
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
  /** Stops it, then starts it. */
  restart(options?: WaitOptions): Promise<void>;
}

/** One broker and where it is reached. */
export interface BrokerHandle extends ServiceHandle {
  /** `pulsar://127.0.0.1:port`. */
  readonly serviceUrl: string;
  /** `pulsar+ssl://127.0.0.1:port`, undefined without TLS. */
  readonly serviceUrlTls: string | undefined;
  /** `http://127.0.0.1:port`, of the admin REST interface and lookups over HTTP. */
  readonly adminUrl: string;
  /** `https://127.0.0.1:port`, undefined without TLS. */
  readonly adminUrlTls: string | undefined;
  /** `ws://127.0.0.1:port`, to which `/ws/v2/...` is added. */
  readonly webSocketUrl: string;
  /** `wss://127.0.0.1:port`, undefined without TLS. */
  readonly webSocketUrlTls: string | undefined;
  /** The admin REST interface of this broker, with the rights of the role `admin`. */
  readonly admin: AdminClient;
}

/** A broker's handle over its service. */
export class Broker implements BrokerHandle {
  readonly serviceUrl: string;
  readonly serviceUrlTls: string | undefined;
  readonly adminUrl: string;
  readonly adminUrlTls: string | undefined;
  readonly webSocketUrl: string;
  readonly webSocketUrlTls: string | undefined;
  readonly admin: AdminClient;
  readonly #service: JavaService;

  constructor(service: JavaService, ports: BrokerPorts, adminToken: string | undefined) {
    const url = (scheme: string, port: number): string => `${scheme}://127.0.0.1:${port}`;
    const urlTls = (scheme: string, port: number | undefined): string | undefined =>
      port === undefined ? undefined : url(scheme, port);
    this.#service = service;
    this.serviceUrl = url("pulsar", ports.binary);
    this.serviceUrlTls = urlTls("pulsar+ssl", ports.binaryTls);
    this.adminUrl = url("http", ports.http);
    this.adminUrlTls = urlTls("https", ports.httpTls);
    this.webSocketUrl = url("ws", ports.http);
    this.webSocketUrlTls = urlTls("wss", ports.httpTls);
    this.admin = new AdminClient(this.adminUrl, { token: adminToken });
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
}
