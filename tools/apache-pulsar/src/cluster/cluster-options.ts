import type { StartOptions } from "../standalone/standalone-options.ts";

/** Options of `startCluster`. */
export interface ClusterOptions extends StartOptions {
  /** How many brokers, 1 to 8. Default: 2. */
  readonly brokers?: number | undefined;
  /** Ports of the binary protocol, one a broker; 0 is a free one. Default: free ones. */
  readonly ports?: readonly number[] | undefined;
  /** Ports of admin REST and WebSocket, one a broker; 0 is a free one. Default: free ones. */
  readonly httpPorts?: readonly number[] | undefined;
}
