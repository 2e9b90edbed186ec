import { ProtocolError } from "../errors.ts";

/** Ports that a scheme stands for when the URL names none. */
const DEFAULT_PORTS = { pulsar: 6650, "pulsar+ssl": 6651, http: 8080, https: 8443 } as const;

/** Scheme of a service URL: the binary protocol or HTTP, plain or over TLS. */
export type ServiceUrlScheme = keyof typeof DEFAULT_PORTS;

/** One address of a service. */
export interface ServiceHost {
  /** Name or address; an IPv6 address without its brackets. */
  readonly host: string;
  readonly port: number;
}

/** A service URL taken apart. */
export interface ServiceUrl {
  readonly scheme: ServiceUrlScheme;
  /** True for `pulsar+ssl` and `https`. */
  readonly usesTls: boolean;
  /** At least one, in the order of the URL. */
  readonly hosts: readonly ServiceHost[];
}

const FORM = /^([a-z+]+):\/\/([^/]*)\/?$/i;
const HOST_NAME = /^[\w.-]+$/;
const IPV6 = /^\[([0-9a-f:.]*:[0-9a-f:.]*(?:%[\w.-]+)?)\]$/i;

/**
 * Reads a service URL: `pulsar://host:6650`, several hosts with commas or semicolons in between, IPv6 addresses in brackets.
 * Ports default to 6650 (pulsar), 6651 (pulsar+ssl), 8080 (http) and 8443 (https), each host for itself.
 *
 * @throws ProtocolError `INVALID_SERVICE_URL` with the text and what is wrong
 */
export function parseServiceUrl(text: string): ServiceUrl {
  const found = FORM.exec(text.trim());
  if (found === null) throw invalid(text, "must be scheme://host[:port][,host[:port]...], without a path");
  const scheme = (found[1] ?? "").toLowerCase();
  if (!isScheme(scheme)) throw invalid(text, "scheme must be pulsar, pulsar+ssl, http or https");
  if (text.includes("@")) throw invalid(text, "must not contain a user; credentials go into the authentication option");
  const hosts = (found[2] ?? "").split(/[,;]/).map((part) => parseHost(text, part, DEFAULT_PORTS[scheme]));
  return { scheme, usesTls: scheme === "pulsar+ssl" || scheme === "https", hosts };
}

/** `host:port`, with brackets around an IPv6 address. */
export function formatServiceHost({ host, port }: ServiceHost): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The text of a service URL with all ports written out. */
export function formatServiceUrl({ scheme, hosts }: Pick<ServiceUrl, "scheme" | "hosts">): string {
  return `${scheme}://${hosts.map(formatServiceHost).join(",")}`;
}

function isScheme(text: string): text is ServiceUrlScheme {
  return Object.hasOwn(DEFAULT_PORTS, text);
}

function parseHost(text: string, part: string, defaultPort: number): ServiceHost {
  const address = part.trim();
  const portAt = address.lastIndexOf(":");
  const hasPort = portAt > address.lastIndexOf("]");
  const name = hasPort ? address.slice(0, portAt) : address;
  const host = IPV6.exec(name)?.[1] ?? (HOST_NAME.test(name) ? name : undefined);
  if (host === undefined) throw invalid(text, `${JSON.stringify(address)} is no host, or has no port behind its colon`);
  return { host, port: hasPort ? parsePort(text, address.slice(portAt + 1)) : defaultPort };
}

function parsePort(text: string, digits: string): number {
  const port = /^\d{1,5}$/.test(digits) ? Number(digits) : 0;
  if (port < 1 || port > 65535) throw invalid(text, `port must be from 1 to 65535, got ${JSON.stringify(digits)}`);
  return port;
}

function invalid(text: string, reason: string): ProtocolError {
  // What stands before an @ may be a password.
  const shown = text.replace(/\/\/[^/]*@/g, "//***@").slice(0, 200);
  return new ProtocolError("INVALID_SERVICE_URL", `${JSON.stringify(shown)}: ${reason}`);
}
