import { parseServiceUrl } from "@pulsewire/protocol";
import { type Authentication, noAuthentication } from "../auth/authentication.ts";
import type { HostPort } from "../connection/broker-address.ts";
import type { TlsOptions } from "../connection/socket-dialer.ts";
import { type BackoffOptions, DEFAULT_BACKOFF } from "../session/backoff.ts";
import { type Logger, safeLogger, silentLogger } from "../util/logger.ts";
import { OptionReader } from "./option-reader.ts";

/** Options of a client. Durations are milliseconds. */
export interface ClientOptions {
  /** `pulsar://host:6650`, or `pulsar+ssl://` for TLS; several hosts with commas. Ports default to 6650 and 6651. */
  readonly serviceUrl: string;
  /** Credentials. Default none. */
  readonly authentication?: Authentication | undefined;
  /** TLS settings, for a `pulsar+ssl://` URL. Default: Node's certificates, host name verified. */
  readonly tls?: TlsOptions | undefined;
  /** For requests such as creating a producer, subscribing, seeking. Default 30 000, at least 1. */
  readonly operationTimeoutMs?: number | undefined;
  /** For a lookup, its redirects included. Default operationTimeoutMs, at least 1. */
  readonly lookupTimeoutMs?: number | undefined;
  /** For opening a socket and the handshake together. Default 10 000, at least 1. */
  readonly connectionTimeoutMs?: number | undefined;
  /** Between PINGs; a peer silent for another such interval is given up. Default 30 000, at least 1. */
  readonly keepAliveIntervalMs?: number | undefined;
  /** Redirects that a lookup follows. Default 20, at least 0. */
  readonly maxLookupRedirects?: number | undefined;
  /** Lookups in flight at a time, the rest wait in line. Default 5000, at least 1. */
  readonly concurrentLookupRequests?: number | undefined;
  /** Connections to each broker. Default 1, at least 1. */
  readonly connectionsPerBroker?: number | undefined;
  /** Advertised listener of the brokers to connect to. Default the broker's own choice. */
  readonly listenerName?: string | undefined;
  /** Where log lines go. Default nowhere. */
  readonly logger?: Logger | undefined;
  /** Delays between attempts to reconnect: the first, and the one that none exceeds. Default 100 and 60 000. */
  readonly backoff?: Partial<BackoffOptions> | undefined;
  /** Bytes that the producers of the client may hold for sending, all together; 0 for no bound. Default 64 MiB. */
  readonly memoryLimitBytes?: number | undefined;
}

/** The options of a client with every default filled in. */
export interface ResolvedClientOptions {
  readonly hosts: readonly HostPort[];
  readonly usesTls: boolean;
  readonly tls: TlsOptions;
  readonly authentication: Authentication;
  readonly operationTimeoutMs: number;
  readonly lookupTimeoutMs: number;
  readonly connectionTimeoutMs: number;
  readonly keepAliveIntervalMs: number;
  readonly maxLookupRedirects: number;
  readonly concurrentLookupRequests: number;
  readonly connectionsPerBroker: number;
  readonly listenerName: string | undefined;
  readonly logger: Logger;
  readonly backoff: BackoffOptions;
  readonly memoryLimitBytes: number;
}

// A timer of Node cannot wait longer; longer ones would fire at once.
const LONGEST_MS = 2 ** 31 - 1;

/** Fills in defaults. @throws InvalidConfigurationError that lists every option that cannot be used */
export function resolveClientOptions(given: ClientOptions): ResolvedClientOptions {
  const options = new OptionReader("client options", given);
  const durationMs = (name: string, byDefault: number): number =>
    options.integer(name, { default: byDefault, min: 1, max: LONGEST_MS });
  const { hosts, usesTls } = readServiceUrl(options);
  const operationTimeoutMs = durationMs("operationTimeoutMs", 30_000);
  const resolved: ResolvedClientOptions = {
    hosts,
    usesTls,
    authentication: options.value("authentication", noAuthentication, isAuthentication, "an Authentication"),
    tls: readTls(options, usesTls),
    operationTimeoutMs,
    lookupTimeoutMs: durationMs("lookupTimeoutMs", operationTimeoutMs),
    connectionTimeoutMs: durationMs("connectionTimeoutMs", 10_000),
    keepAliveIntervalMs: durationMs("keepAliveIntervalMs", 30_000),
    maxLookupRedirects: options.integer("maxLookupRedirects", { default: 20, min: 0 }),
    concurrentLookupRequests: options.integer("concurrentLookupRequests", { default: 5000, min: 1 }),
    connectionsPerBroker: options.integer("connectionsPerBroker", { default: 1, min: 1 }),
    listenerName: options.text("listenerName"),
    logger: readLogger(options),
    backoff: readBackoff(options),
    memoryLimitBytes: options.integer("memoryLimitBytes", { default: 64 * 1024 * 1024, min: 0 }),
  };
  options.finish();
  return Object.freeze(resolved);
}

function readServiceUrl(options: OptionReader): Pick<ResolvedClientOptions, "hosts" | "usesTls"> {
  const expected = "a service URL such as pulsar://localhost:6650";
  const isText = (value: unknown): value is string => typeof value === "string";
  const text = options.required("serviceUrl", undefined as string | undefined, isText, expected);
  if (text === undefined) return { hosts: [], usesTls: false };
  try {
    const { scheme, hosts } = parseServiceUrl(text);
    if (scheme === "pulsar" || scheme === "pulsar+ssl") return { hosts, usesTls: scheme === "pulsar+ssl" };
    options.problem("serviceUrl", text, `${expected} (lookup over HTTP is not supported)`);
  } catch {
    options.problem("serviceUrl", text, expected);
  }
  return { hosts: [], usesTls: false };
}

function readTls(options: OptionReader, usesTls: boolean): TlsOptions {
  if (options.has("tls") && !usesTls)
    options.problem("tls", {}, "left out, unless serviceUrl begins with pulsar+ssl://");
  const tls = options.nested("tls");
  const pem = "a text or Uint8Array in PEM form";
  const resolved: TlsOptions = {
    ca: tls.value("ca", undefined, isCertificateList, `${pem}, or an array of them`),
    cert: tls.value("cert", undefined, isPem, pem),
    key: tls.value("key", undefined, isPem, pem),
    passphrase: tls.text("passphrase"),
    secureContext: tls.value("secureContext", undefined, isSecureContext, "a SecureContext of node:tls"),
    servername: tls.text("servername"),
    hostnameVerification: tls.boolean("hostnameVerification", true),
    allowInsecureConnection: tls.boolean("allowInsecureConnection", false),
  };
  if ((resolved.cert === undefined) !== (resolved.key === undefined)) {
    tls.problem(
      resolved.cert === undefined ? "cert" : "key",
      undefined,
      "given together with the other of cert and key",
    );
  }
  tls.finish();
  return resolved;
}

function readLogger(options: OptionReader): Logger {
  const logger = options.value("logger", undefined, isLogger, "an object with debug, info, warn and error");
  return logger === undefined ? silentLogger : safeLogger(logger);
}

function readBackoff(options: OptionReader): BackoffOptions {
  const backoff = options.nested("backoff");
  const initialMs = backoff.integer("initialMs", { default: DEFAULT_BACKOFF.initialMs, min: 1, max: LONGEST_MS });
  const maxMs = backoff.integer("maxMs", {
    default: Math.max(DEFAULT_BACKOFF.maxMs, initialMs),
    min: initialMs,
    max: LONGEST_MS,
  });
  backoff.finish();
  return { initialMs, maxMs };
}

function isAuthentication(value: unknown): value is Authentication {
  if (typeof value !== "object" || value === null) return false;
  const { methodName, getAuthData } = value as Partial<Record<keyof Authentication, unknown>>;
  return typeof methodName === "string" && typeof getAuthData === "function";
}

function isLogger(value: unknown): value is Logger {
  if (typeof value !== "object" || value === null) return false;
  const logger = value as Partial<Record<keyof Logger, unknown>>;
  return [logger.debug, logger.info, logger.warn, logger.error].every((method) => typeof method === "function");
}

function isPem(value: unknown): value is string | Uint8Array {
  return (typeof value === "string" && value !== "") || value instanceof Uint8Array;
}

function isCertificateList(value: unknown): value is NonNullable<TlsOptions["ca"]> {
  return isPem(value) || (Array.isArray(value) && value.length > 0 && value.every(isPem));
}

function isSecureContext(value: unknown): value is NonNullable<TlsOptions["secureContext"]> {
  return typeof value === "object" && value !== null && "context" in value;
}
