import type { BrokerUrls, Connection } from "../../src/connection/connection.ts";
import { NotConnectedError, type PulsarError } from "../../src/errors.ts";
import { Session } from "../../src/session/session.ts";
import type { AttachAttempt, Attachment, SessionStateName, TopicConnector } from "../../src/session/session-types.ts";
import { Deferred } from "../../src/util/deferred.ts";
import { silentLogger } from "../../src/util/logger.ts";
import { ManualClock, reactions } from "../util/manual-clock.ts";

/** As much of a connection as a session looks at. */
export class StubConnection {
  isOpen = true;
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }

  get asConnection(): Connection {
    return this as unknown as Connection;
  }
}

/** One call to the connector, to be settled by the test. */
export interface ConnectCall {
  readonly hint: BrokerUrls | undefined;
  readonly signal: AbortSignal;
  readonly result: Deferred<Connection>;
}

/** One call to attach(), to be settled by the test. */
export interface AttachCall {
  readonly connection: Connection;
  readonly attempt: AttachAttempt;
  readonly result: Deferred<void>;
}

/** A session whose every step is in the hands of a test. */
export class SessionFixture implements Attachment, TopicConnector {
  readonly clock = new ManualClock();
  readonly connects: ConnectCall[] = [];
  readonly attaches: AttachCall[] = [];
  readonly detached: Connection[] = [];
  /** Everything the attachment was told, in order. */
  readonly events: string[] = [];
  readonly states: SessionStateName[] = [];
  readonly session: Session;
  /** What detach() waits for. */
  detaching: Promise<void> = Promise.resolve();

  constructor(options: { readonly operationTimeoutMs?: number } = {}) {
    this.session = new Session({
      kind: "producer",
      topic: "persistent://public/default/t",
      attachment: this,
      connector: this,
      clock: this.clock,
      random: () => 0,
      logger: silentLogger,
      backoff: { initialMs: 100, maxMs: 60_000 },
      operationTimeoutMs: options.operationTimeoutMs ?? 30_000,
    });
  }

  connect(_topic: string, options: { signal: AbortSignal; hint?: BrokerUrls | undefined }): Promise<Connection> {
    const call = { hint: options.hint, signal: options.signal, result: new Deferred<Connection>() };
    this.connects.push(call);
    return call.result.promise;
  }

  attach(connection: Connection, attempt: AttachAttempt): Promise<void> {
    const call = { connection, attempt, result: new Deferred<void>() };
    this.attaches.push(call);
    // As a request does: an aborted one rejects at once.
    attempt.signal.addEventListener("abort", () => call.result.reject(attempt.signal.reason));
    return call.result.promise;
  }

  detach(connection: Connection): Promise<void> {
    this.detached.push(connection);
    return this.detaching;
  }

  onReady(): void {
    this.events.push("ready");
  }

  onDisconnected(error: PulsarError): void {
    this.events.push(`disconnected ${error.code}`);
  }

  onFailed(error: PulsarError): void {
    this.events.push(`failed ${error.code}`);
  }

  onStateChange(state: SessionStateName): void {
    this.states.push(state);
  }

  /** Lets the newest connect() succeed. */
  async giveConnection(name = "c"): Promise<StubConnection> {
    const connection = new StubConnection(name);
    last(this.connects).result.resolve(connection.asConnection);
    await reactions();
    return connection;
  }

  /** Lets the newest connect() and attach() succeed. */
  async becomeReady(name = "c"): Promise<StubConnection> {
    const connection = await this.giveConnection(name);
    last(this.attaches).result.resolve();
    await reactions();
    return connection;
  }

  /** Opens the session and brings it to ready. */
  async openReady(name = "c"): Promise<StubConnection> {
    void this.session.open();
    await reactions();
    return this.becomeReady(name);
  }

  /** Opens, gets ready and loses the connection: the session waits for its first reconnect. */
  async openAndLose(): Promise<StubConnection> {
    const connection = await this.openReady();
    this.lose(connection);
    return connection;
  }

  lose(connection: StubConnection): void {
    connection.isOpen = false;
    this.session.connectionLost(connection.asConnection, new NotConnectedError("lost"));
  }
}

/** The newest of a list that must have one. */
export function last<T>(list: readonly T[]): T {
  const value = list.at(-1);
  if (value === undefined) throw new Error("nothing was called yet");
  return value;
}
