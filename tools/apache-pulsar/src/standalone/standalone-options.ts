import type { Settings } from "../broker-config/properties-text.ts";
import type { PrepareOptions } from "../prepare.ts";
import type { TlsFilesOptions } from "../tls/tls-files.ts";

/** TLS of a broker. */
export interface TlsOptions extends TlsFilesOptions {
  /** Refuse a TLS connection without a certificate of the instance's authority. Default: false. */
  readonly requireClientCertificate?: boolean | undefined;
  /** Take the common name of a client certificate as the client's role; turns token authentication on as well. Default: false. */
  readonly authenticate?: boolean | undefined;
}

/** What every kind of start takes. `timeoutMs` is for the broker itself, not for the downloads before the first start ever. */
export interface StartOptions extends PrepareOptions {
  /**
   * Folder for configuration, data and logs; kept at the end, and an instance that it holds is started again with its
   * data. Default: a new one in the system's temporary folder, removed at the end.
   */
  readonly dir?: string | undefined;
  /** Keep the temporary folder at the end. Default: false. */
  readonly keep?: boolean | undefined;
  /** Broker settings in Pulsar's own words, which override all others. Default: none. */
  readonly config?: Settings | undefined;
  /** Open TLS ports too, with certificates made for the instance. Default: false. */
  readonly tls?: boolean | TlsOptions | undefined;
  /** Clients must show a token, see `token()` of the instance. Default: false. */
  readonly auth?: boolean | undefined;
  /** With `auth`: also ask what a role may do; only the role `admin` may do everything. Default: false. */
  readonly authorization?: boolean | undefined;
  /** Largest heap of each broker, in MiB. Default: 768. */
  readonly heapMb?: number | undefined;
  /** Largest memory outside the heap of each broker, in MiB. Default: 768. */
  readonly directMemoryMb?: number | undefined;
  /** More JVM arguments, which win over the others. Default: none. */
  readonly jvmArgs?: readonly string[] | undefined;
}

/** Options of `startStandalone`. */
export interface StandaloneOptions extends StartOptions {
  /** Port of the binary protocol. Default: 0, a free one. */
  readonly port?: number | undefined;
  /** Port of admin REST and WebSocket. Default: 0, a free one. */
  readonly httpPort?: number | undefined;
  /** Port of the binary protocol over TLS, with `tls`. Default: 0, a free one. */
  readonly tlsPort?: number | undefined;
  /** Port of admin REST and WebSocket over TLS, with `tls`. Default: 0, a free one. */
  readonly httpsPort?: number | undefined;
}
