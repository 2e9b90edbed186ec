import type { HostPort } from "./broker-address.ts";

/** What a transport tells. Called from socket callbacks, so none of these may throw. */
export interface TransportEvents {
  /** Bytes came. The memory is reused after the call: whatever is kept must be copied. */
  onData(chunk: Uint8Array): void;
  /** Everything queued has gone to the operating system. */
  onDrain(): void;
  /** The transport is closed, by whichever side. Called once; nothing else follows. */
  onClose(error: Error | undefined): void;
}

/** A byte stream to a peer. */
export interface Transport {
  /** Queues bytes, which must not be changed afterwards. */
  write(bytes: Uint8Array): void;
  /** Holds back writes until {@link Transport.uncork}, which sends them together. */
  cork(): void;
  uncork(): void;
  /** Bytes that wait for the operating system. */
  readonly queuedBytes: number;
  /** Closes at once, dropping what waits. Idempotent; `onClose` follows. */
  destroy(): void;
}

/**
 * Opens a byte stream to an address. Rejects when that fails, and with the signal's reason when aborted. Events before
 * the promise resolves are possible: data may follow the connect at once.
 */
export type Dialer = (address: HostPort, events: TransportEvents, signal: AbortSignal) => Promise<Transport>;
