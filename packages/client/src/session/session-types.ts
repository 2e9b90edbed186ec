import type { BrokerUrls, Connection } from "../connection/connection.ts";
import type { PulsarError } from "../errors.ts";

/** What a session keeps attached. */
export type SessionKind = "producer" | "consumer";

/** Public states of a producer, consumer or reader. */
export type SessionStateName = "connecting" | "ready" | "reconnecting" | "closing" | "closed" | "failed";

/** One try to attach. */
export interface AttachAttempt {
  /** 0 for the first PRODUCER or SUBSCRIBE, then one more each time: goes into CommandProducer.epoch. */
  readonly epoch: number;
  /** True until the session has been ready once. */
  readonly isFirst: boolean;
  /** Aborted when the session is closed, fails, or loses the connection meanwhile. */
  readonly signal: AbortSignal;
  /** Milliseconds that the request may take. */
  readonly timeoutMs: number;
  /** To be called when the broker queues the producer (`producer_ready=false`): lifts the deadline of open(). */
  readonly onQueued: () => void;
}

/** What a producer or consumer does for its session. None of these may call back into users' code synchronously. */
export interface Attachment {
  /** Registers the handler on the connection and sends PRODUCER or SUBSCRIBE; resolves on its success. */
  attach(connection: Connection, attempt: AttachAttempt): Promise<void>;
  /**
   * Unregisters the handler and, if the connection is still open, sends CLOSE_PRODUCER or CLOSE_CONSUMER, both before
   * it returns; resolves with the answer. Used at close, and to undo an attempt that failed or was given up, so that no
   * ghost stays behind.
   */
  detach(connection: Connection): Promise<void>;
  /** The session is ready, as of this call: re-send what is pending, send FLOW. */
  onReady(connection: Connection): void;
  /** The session was ready and is not any more; it reconnects by itself. */
  onDisconnected(error: PulsarError): void;
  /** The session has failed for good. Not called after close, nor when open() rejects. */
  onFailed(error: PulsarError): void;
  /** Told of every change of the public state, right after it. */
  onStateChange?(state: SessionStateName): void;
}

/** Finds the broker of a topic and gives a connection to it. */
export interface TopicConnector {
  /**
   * @param hint broker that CLOSE_PRODUCER or CLOSE_CONSUMER named: taken without a lookup
   */
  connect(topic: string, options: { signal: AbortSignal; hint?: BrokerUrls | undefined }): Promise<Connection>;
}
