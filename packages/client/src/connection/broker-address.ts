/** A host and a port. */
export interface HostPort {
  readonly host: string;
  readonly port: number;
}

/** Where a broker is, and how to get there. */
export interface BrokerAddress {
  /** The broker itself. */
  readonly logical: HostPort;
  /** What to open the socket to: the broker, or a proxy in front of it. */
  readonly physical: HostPort;
}

/** `host:port`, with brackets around an IPv6 address. */
export function formatHostPort({ host, port }: HostPort): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** True when the broker is reached through another address: CONNECT names the broker in `proxy_to_broker_url` then. */
export function isProxied(address: BrokerAddress): boolean {
  return formatHostPort(address.logical) !== formatHostPort(address.physical);
}
