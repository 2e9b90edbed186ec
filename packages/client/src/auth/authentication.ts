/** What credentials are asked for. */
export interface AuthenticationRequest {
  /** Host that the connection goes to. */
  readonly host: string;
  /** Data of the broker's AUTH_CHALLENGE; undefined for CONNECT. */
  readonly challenge: Uint8Array | undefined;
  /** Aborted when the connection closes or its time is up. */
  readonly signal: AbortSignal;
}

/**
 * Gives the credentials of connections: one call for each CONNECT and for each AUTH_CHALLENGE, so that a renewed
 * credential is picked up without a reconnect. Write your own for other methods.
 */
export interface Authentication {
  /** Name of the method as the broker knows it: `token`, `basic`, `tls`, ... */
  readonly methodName: string;
  /**
   * May reject; the connection attempt then fails with AuthenticationError, which is final while something is being made
   * and retried by what was connected before.
   */
  getAuthData(request: AuthenticationRequest): Uint8Array | Promise<Uint8Array>;
}

/** No credentials: the default. */
export const noAuthentication: Authentication = {
  methodName: "none",
  getAuthData: () => new Uint8Array(),
};
