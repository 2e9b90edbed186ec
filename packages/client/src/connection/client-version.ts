/** What CONNECT says about this client. A test keeps the number equal to package.json's. */
export const CLIENT_VERSION = "Pulsewire-v0.1.0";

/** Newest protocol version this client speaks. */
export const PROTOCOL_VERSION = 21;
