import { AdminClient } from "../admin/admin-client.ts";
import type { BrokerPorts } from "../broker-config/broker-settings.ts";
import type { JavaService } from "../process/java-service.ts";
import { Service, type ServiceHandle } from "./service-handle.ts";

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
export class Broker extends Service implements BrokerHandle {
  readonly serviceUrl: string;
  readonly serviceUrlTls: string | undefined;
  readonly adminUrl: string;
  readonly adminUrlTls: string | undefined;
  readonly webSocketUrl: string;
  readonly webSocketUrlTls: string | undefined;
  readonly admin: AdminClient;

  constructor(service: JavaService, ports: BrokerPorts, adminToken: string | undefined) {
    super(service);
    const url = (scheme: string, port: number): string => `${scheme}://127.0.0.1:${port}`;
    const urlTls = (scheme: string, port: number | undefined): string | undefined =>
      port === undefined ? undefined : url(scheme, port);
    this.serviceUrl = url("pulsar", ports.binary);
    this.serviceUrlTls = urlTls("pulsar+ssl", ports.binaryTls);
    this.adminUrl = url("http", ports.http);
    this.adminUrlTls = urlTls("https", ports.httpTls);
    this.webSocketUrl = url("ws", ports.http);
    this.webSocketUrlTls = urlTls("wss", ports.httpTls);
    this.admin = new AdminClient(this.adminUrl, { token: adminToken });
  }
}
