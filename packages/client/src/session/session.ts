import type { BrokerUrls, Connection } from "../connection/connection.ts";
import { AlreadyClosedError, NotConnectedError, PulsarError, TimeoutError, UnknownServerError } from "../errors.ts";
import type { Clock, Random, Timer } from "../util/clock.ts";
import { Deferred } from "../util/deferred.ts";
import type { Logger } from "../util/logger.ts";
import { waitFor } from "../util/wait-for.ts";
import { Backoff, type BackoffOptions } from "./backoff.ts";
import { isFinal } from "./retry-policy.ts";
import type { Attachment, SessionKind, SessionStateName, TopicConnector } from "./session-types.ts";

/** What a session is made of. */
export interface SessionOptions {
  readonly kind: SessionKind;
  readonly topic: string;
  readonly attachment: Attachment;
  readonly connector: TopicConnector;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly backoff: BackoffOptions;
  /** Bound of open(), and of each PRODUCER or SUBSCRIBE. Milliseconds. */
  readonly operationTimeoutMs: number;
}

/** One try to attach: waiting for its time, then looking for a connection, then attaching to it. */
interface Attempt {
  readonly abort: AbortController;
  readonly hint: BrokerUrls | undefined;
  timer: Timer | undefined;
  /** The connection it attaches to, once there is one. */
  connection: Connection | undefined;
  isSettled: boolean;
}

type State =
  | { readonly kind: "connecting"; readonly attempt: Attempt | undefined; readonly opening: Opening }
  | { readonly kind: "ready"; readonly connection: Connection; readonly since: number }
  | { readonly kind: "reconnecting"; readonly attempt: Attempt }
  | { readonly kind: "closing"; readonly done: Promise<void> }
  | { readonly kind: "closed" }
  | { readonly kind: "failed"; readonly error: PulsarError };

/** What belongs to open() alone. */
interface Opening {
  readonly result: Deferred<void>;
  /** Moment, on the monotonic clock, at which open() gives up. */
  deadline: number;
  timer: Timer | undefined;
  lastError: PulsarError | undefined;
}

/**
 * Keeps one producer or consumer attached to the broker of its topic: finds a connection, attaches, notices the loss,
 * backs off, tries again, until it is closed or fails for good. It decides when to try; its {@link Attachment} knows
 * how. It never sends anything itself.
 *
 * Events from a connection that is no longer the current one are ignored, and so are results of attempts that were
 * given up: those are undone at the broker, so that no ghost producer or consumer stays there.
 */
export class Session {
  readonly #options: SessionOptions;
  readonly #backoff: Backoff;
  readonly #waiting: Set<Deferred<Connection>> = new Set();
  readonly #undoing: Set<Promise<void>> = new Set();
  #state: State;
  #epoch = 0;
  #hasBeenReady = false;
  #lastDelayMs = 0;
  /** Whether a hint led to the present attachment or attempt. */
  #cameByHint = false;
  /** Whether the present attachment has been of use: see {@link served}. */
  #hasServed = false;
  /** Settles when the newest attempt is over. Two never run at once: on the same connection they would share an id. */
  #running: Promise<void> = Promise.resolve();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#backoff = new Backoff(options.backoff, options.random);
    const result = new Deferred<void>().ignoreRejection();
    const opening: Opening = { result, deadline: Number.POSITIVE_INFINITY, timer: undefined, lastError: undefined };
    this.#state = { kind: "connecting", attempt: undefined, opening };
  }

  /** Public name of the present state. */
  get state(): SessionStateName {
    return this.#state.kind;
  }

  /** The connection it is attached to; undefined unless ready. */
  get connection(): Connection | undefined {
    return this.#state.kind === "ready" ? this.#state.connection : undefined;
  }

  /** Why the session failed; undefined unless it did. */
  get error(): PulsarError | undefined {
    return this.#state.kind === "failed" ? this.#state.error : undefined;
  }

  /**
   * Attaches for the first time. Errors that may pass are retried until the operation timeout and then reported as they
   * were last; final ones reject at once. A rejected session is failed, an aborted one closed. To be called once.
   */
  open(signal?: AbortSignal): Promise<void> {
    const state = this.#state;
    if (state.kind !== "connecting" || state.attempt !== undefined) {
      return Promise.reject(this.#closedError());
    }
    const { opening } = state;
    const { clock, operationTimeoutMs } = this.#options;
    opening.deadline = clock.monotonicNow() + operationTimeoutMs;
    opening.timer = clock.setTimeout(() => this.#onDeadline(), operationTimeoutMs);
    this.#startAttempt(0, undefined);
    if (signal === undefined) return opening.result.promise;
    const onAbort = (): void => {
      opening.result.reject(signal.reason);
      void this.close();
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort);
    return opening.result.promise.finally(() => signal.removeEventListener("abort", onAbort));
  }

  /** The current connection as soon as there is one. Rejects when the session closes or fails first, or on timeout. */
  whenReady(options: { signal?: AbortSignal | undefined; timeoutMs?: number | undefined } = {}): Promise<Connection> {
    const state = this.#state;
    if (state.kind === "ready") return Promise.resolve(state.connection);
    if (state.kind !== "connecting" && state.kind !== "reconnecting") return Promise.reject(this.#closedError());
    const waiting = new Deferred<Connection>().ignoreRejection();
    this.#waiting.add(waiting);
    const { clock, topic } = this.#options;
    const onTimeout = (): PulsarError => new TimeoutError("not connected within the time allowed", { topic });
    return waitFor(waiting.promise, { ...options, clock, onTimeout }).finally(() => this.#waiting.delete(waiting));
  }

  /**
   * Event: the broker has done what the attachment is for, i.e. given a receipt or a message. A loss after that is a new
   * one, not a repetition, so that its back-off starts over.
   */
  served(): void {
    this.#hasServed = true;
  }

  /** Event: a connection was lost. Reconnects if it was the current one. */
  connectionLost(connection: Connection, error: PulsarError): void {
    this.#lose(connection, error, undefined, false);
  }

  /**
   * Event: CLOSE_PRODUCER or CLOSE_CONSUMER came. A hint is followed at once, and only once. The next one too, if the
   * broker has served in between; else it waits as any attempt does, since brokers may send us to one another.
   */
  closedByBroker(connection: Connection, hint: BrokerUrls | undefined): void {
    const error = new NotConnectedError("closed by the broker", { topic: this.#options.topic });
    this.#lose(connection, error, hint, false);
  }

  /**
   * Gives the current attachment up and attaches anew, e.g. after a SEND_ERROR that asks for it.
   *
   * @param isExpected part of an operation such as seek: attaches at once, without back-off
   */
  reconnect(reason: PulsarError, isExpected = false): void {
    const { connection } = this;
    if (connection !== undefined) this.#lose(connection, reason, undefined, isExpected);
  }

  /** Ends the session with an error, e.g. for a terminated topic. Ignored once it is closing, closed or failed. */
  fail(error: PulsarError): void {
    const state = this.#state;
    if (state.kind === "closing" || state.kind === "closed" || state.kind === "failed") return;
    this.#enter({ kind: "failed", error });
    if (state.kind === "ready") this.#undo(state.connection);
    if (state.kind === "connecting") state.opening.result.reject(error);
    else this.#tell(() => this.#options.attachment.onFailed(error));
  }

  /**
   * Ends the session; wins over a running attempt. Resolves when the broker has been told and every abandoned attempt
   * is undone; never rejects, since a broker that cannot be told drops the producer or consumer by itself.
   *
   * @param detach what to do instead of {@link Attachment.detach} when attached
   */
  close(detach?: (connection: Connection) => Promise<void>): Promise<void> {
    const state = this.#state;
    switch (state.kind) {
      case "closing":
        return state.done;
      case "closed":
      case "failed":
        return this.#undone();
      case "connecting":
      case "reconnecting":
      case "ready": {
        const finished = new Deferred<void>();
        this.#enter({ kind: "closing", done: finished.promise });
        if (state.kind === "connecting") state.opening.result.reject(this.#closedError());
        if (state.kind === "ready") this.#undo(state.connection, detach);
        void this.#undone().then(() => {
          this.#enter({ kind: "closed" });
          finished.resolve();
        });
        return finished.promise;
      }
    }
  }

  #lose(connection: Connection, error: PulsarError, hint: BrokerUrls | undefined, isExpected: boolean): void {
    const state = this.#state;
    switch (state.kind) {
      case "ready": {
        if (state.connection !== connection) return;
        // A broker that only accepts and closes, again and again, must not see the shortest delay each time.
        if (this.#hasServed || this.#options.clock.monotonicNow() - state.since >= this.#lastDelayMs) {
          this.#backoff.reset();
        }
        this.#options.logger.info("disconnected", { topic: this.#options.topic, error: error.message });
        this.#startAttempt(isExpected || this.#followsAtOnce(hint) ? 0 : this.#backoff.next(), hint);
        this.#tell(() => this.#options.attachment.onDisconnected(error));
        return;
      }
      case "connecting":
      case "reconnecting":
        // Attached already or about to be, but this event overtook the result.
        if (state.attempt?.connection === connection) this.#retry(error, hint);
        return;
      case "closing":
      case "closed":
      case "failed":
        return;
    }
  }

  /** Enters the state of a new attempt, which begins after the delay. */
  #startAttempt(delayMs: number, hint: BrokerUrls | undefined): void {
    const attempt: Attempt = {
      abort: new AbortController(),
      hint,
      timer: undefined,
      connection: undefined,
      isSettled: false,
    };
    const state = this.#state;
    this.#lastDelayMs = delayMs;
    this.#cameByHint = hint !== undefined;
    this.#hasServed = false;
    this.#enter(
      state.kind === "connecting"
        ? { kind: "connecting", attempt, opening: state.opening }
        : { kind: "reconnecting", attempt },
    );
    // No socket may be open now, and a process that waits for its broker to come back must not end.
    if (delayMs > 0) attempt.timer = this.#options.clock.setTimeout(() => this.#run(attempt), delayMs, true);
    else this.#run(attempt);
  }

  #run(attempt: Attempt): void {
    attempt.timer = undefined;
    const previous = this.#running;
    this.#running = previous
      .then(() => this.#findAndAttach(attempt))
      .then(
        (connection) => this.#onAttached(attempt, connection),
        (error: unknown) => this.#onAttemptFailed(attempt, error),
      );
  }

  async #findAndAttach(attempt: Attempt): Promise<Connection> {
    const { signal } = attempt.abort;
    signal.throwIfAborted();
    const { connector, attachment, topic, clock, operationTimeoutMs } = this.#options;
    const onTimeout = (): PulsarError => this.#closedError();
    const connecting = connector.connect(topic, { signal, hint: attempt.hint });
    const connection = await waitFor(connecting, { signal, clock, onTimeout });
    signal.throwIfAborted();
    attempt.connection = connection;
    const state = this.#state;
    const remainingMs =
      state.kind === "connecting" ? state.opening.deadline - clock.monotonicNow() : Number.POSITIVE_INFINITY;
    await attachment.attach(connection, {
      epoch: this.#epoch++,
      isFirst: !this.#hasBeenReady,
      signal,
      timeoutMs: Math.max(1, Math.min(operationTimeoutMs, remainingMs)),
      onQueued: () => this.#onQueued(attempt),
    });
    return connection;
  }

  #onQueued(attempt: Attempt): void {
    const state = this.#state;
    if (state.kind !== "connecting" || state.attempt !== attempt) return;
    this.#options.clock.clearTimeout(state.opening.timer);
    state.opening.deadline = Number.POSITIVE_INFINITY;
  }

  #onAttached(attempt: Attempt, connection: Connection): void {
    attempt.isSettled = true;
    if (!this.#isCurrent(attempt)) {
      this.#undo(connection);
      return;
    }
    if (!connection.isOpen) {
      const { topic } = this.#options;
      this.#retry(new NotConnectedError("the connection closed meanwhile", { topic }), undefined);
      return;
    }
    const state = this.#state;
    this.#hasBeenReady = true;
    this.#enter({ kind: "ready", connection, since: this.#options.clock.monotonicNow() });
    this.#tell(() => this.#options.attachment.onReady(connection));
    if (state.kind === "connecting") state.opening.result.resolve();
    for (const waiting of this.#waiting) waiting.resolve(connection);
  }

  #onAttemptFailed(attempt: Attempt, error: unknown): void {
    attempt.isSettled = true;
    if (attempt.connection !== undefined) this.#undo(attempt.connection);
    if (!this.#isCurrent(attempt)) return;
    const { topic } = this.#options;
    if (isFinal(error, !this.#hasBeenReady)) {
      this.fail(
        PulsarError.isPulsarError(error)
          ? error
          : new UnknownServerError(`attaching failed: ${String(error)}`, { topic, cause: error }),
      );
      return;
    }
    this.#retry(error as PulsarError, undefined);
  }

  /** Replaces the current attempt by the next one. One that is not over is aborted, and undone when it settles. */
  #retry(error: PulsarError, hint: BrokerUrls | undefined): void {
    const state = this.#state;
    let delayMs = this.#followsAtOnce(hint) ? 0 : this.#backoff.next();
    if (state.kind === "connecting") {
      const { opening } = state;
      opening.lastError = error;
      const remainingMs = opening.deadline - this.#options.clock.monotonicNow();
      if (remainingMs < this.#options.backoff.initialMs) {
        this.fail(error);
        return;
      }
      // Java too makes sure of tries near the end of the time allowed, however long the delays have grown.
      delayMs = Math.min(delayMs, Math.ceil(remainingMs / 2));
    }
    const { topic, kind, logger } = this.#options;
    logger.info("attaching failed, trying again", { topic, kind, delayMs, error: error.message });
    this.#startAttempt(delayMs, hint);
  }

  #followsAtOnce(hint: BrokerUrls | undefined): boolean {
    return hint !== undefined && (!this.#cameByHint || this.#hasServed);
  }

  #onDeadline(): void {
    const state = this.#state;
    if (state.kind !== "connecting") return;
    const { topic, kind, operationTimeoutMs } = this.#options;
    const message = `the ${kind} was not attached within ${operationTimeoutMs} ms`;
    this.fail(state.opening.lastError ?? new TimeoutError(message, { topic }));
  }

  #isCurrent(attempt: Attempt): boolean {
    const state = this.#state;
    return (state.kind === "connecting" || state.kind === "reconnecting") && state.attempt === attempt;
  }

  /** The one place where the state changes: undoes what the old one holds, then tells. */
  #enter(next: State): void {
    const previous = this.#state;
    const { clock, attachment } = this.#options;
    this.#state = next;
    if (previous.kind === "connecting" || previous.kind === "reconnecting") {
      const { attempt } = previous;
      clock.clearTimeout(attempt?.timer);
      if (attempt !== undefined && !attempt.isSettled) attempt.abort.abort(this.#closedError());
    }
    if (previous.kind === "connecting" && next.kind !== "connecting") clock.clearTimeout(previous.opening.timer);
    if (next.kind === "closing" || next.kind === "failed") {
      for (const waiting of this.#waiting) waiting.reject(this.#closedError());
      this.#waiting.clear();
    }
    if (previous.kind !== next.kind) this.#tell(() => attachment.onStateChange?.(next.kind));
  }

  /** Detaches from a connection; close() waits for it. */
  #undo(connection: Connection, detach?: (connection: Connection) => Promise<void>): void {
    const { attachment, logger, topic } = this.#options;
    const undoing = (async (): Promise<void> => (detach ? detach(connection) : attachment.detach(connection)))()
      .catch((error: unknown) => logger.debug("the broker could not be told", { topic, error }))
      .finally(() => this.#undoing.delete(undoing));
    this.#undoing.add(undoing);
  }

  /** Settles when no attempt is running and nothing is left to undo. */
  async #undone(): Promise<void> {
    await this.#running;
    while (this.#undoing.size > 0) await Promise.all(this.#undoing);
  }

  #closedError(): PulsarError {
    const { topic, kind } = this.#options;
    return this.#state.kind === "failed"
      ? this.#state.error
      : new AlreadyClosedError(`the ${kind} is ${this.#state.kind}`, { topic });
  }

  #tell(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#options.logger.error("a callback of the session failed", { topic: this.#options.topic, error });
    }
  }
}
