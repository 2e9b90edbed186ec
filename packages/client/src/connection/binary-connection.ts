import {
  type Command,
  type CommandBodies,
  DEFAULT_MAX_MESSAGE_SIZE_BYTES,
  decodeCommand,
  encodeCommand,
  type FeatureFlags,
  FrameDecoder,
  type FrameView,
  type Int64,
} from "@pulsewire/protocol";
import type { Authentication } from "../auth/authentication.ts";
import {
  AlreadyClosedError,
  ConnectError,
  NotConnectedError,
  type PulsarError,
  type PulsarErrorContext,
  TimeoutError,
} from "../errors.ts";
import { fromServerError } from "../server-errors.ts";
import type { Clock, Timer } from "../util/clock.ts";
import { Deferred } from "../util/deferred.ts";
import type { Logger } from "../util/logger.ts";
import { AttachedHandlers } from "./attached-handlers.ts";
import { type BrokerAddress, formatHostPort } from "./broker-address.ts";
import { type CommandReceiver, dispatchCommand } from "./command-dispatch.ts";
import type { Connection, ConsumerHandler, ProducerHandler, RequestOptions } from "./connection.ts";
import { CredentialRefresh } from "./credential-refresh.ts";
import type { Dialer, Transport, TransportEvents } from "./dialer.ts";
import { Handshake, type HandshakeResult } from "./handshake.ts";
import { KeepAlive } from "./keep-alive.ts";
import { PendingRequests } from "./pending-requests.ts";
import type { RequestType, ResponseBody } from "./request-types.ts";
import { WriteQueue } from "./write-queue.ts";

/** What a connection is made of. */
export interface ConnectionOptions {
  readonly id: number;
  readonly address: BrokerAddress;
  readonly dialer: Dialer;
  readonly authentication: Authentication;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Milliseconds for dialling and handshake together. */
  readonly connectionTimeoutMs: number;
  readonly keepAliveIntervalMs: number;
  /** Milliseconds for a request that says nothing else. */
  readonly requestTimeoutMs: number;
  /** Called once when the connection has ended, also when it was never open. */
  readonly onClosed: (connection: Connection, error: PulsarError) => void;
}

type State =
  | { readonly kind: "dialling" }
  | {
      readonly kind: "handshaking";
      readonly writes: WriteQueue;
      readonly transport: Transport;
      readonly handshake: Handshake;
    }
  | {
      readonly kind: "open";
      readonly writes: WriteQueue;
      readonly transport: Transport;
      readonly result: HandshakeResult;
    }
  | { readonly kind: "closed"; readonly error: PulsarError };

// SEND_RECEIPT as every broker writes it: type field, type number. It holds no bytes field, so it needs no copy.
const SEND_RECEIPT_NUMBER = 7;

/**
 * A connection over a transport: cuts bytes into frames, dispatches each command to whom it concerns, sends frames. It
 * makes the handshake, answers and sends PING, and keeps requests and handlers by id; each of these has its own file.
 * The pool makes and owns it. No exception leaves its event methods.
 */
export class BinaryConnection implements Connection {
  readonly #options: ConnectionOptions;
  readonly #decoder: FrameDecoder = new FrameDecoder({ reusesChunks: true });
  readonly #pending: PendingRequests;
  readonly #handlers: AttachedHandlers = new AttachedHandlers();
  readonly #keepAlive: KeepAlive;
  readonly #refresh: CredentialRefresh;
  readonly #abort: AbortController = new AbortController();
  readonly #opened: Deferred<void> = new Deferred<void>().ignoreRejection();
  readonly #receiver: CommandReceiver = {
    handlers: this.#handlers,
    onResponse: (id, type, body) => {
      const error = this.#pending.settle(id, type, body);
      if (error !== undefined) this.close(error);
    },
    onError: (body) => this.#onError(body),
    onAuthChallenge: (challenge) => this.#refresh.onChallenge(challenge),
    onViolation: (reason) => this.close(new ConnectError(`${this.#target()} broke the protocol: ${reason}`)),
  };
  #state: State = { kind: "dialling" };
  #openTimer: Timer | undefined;
  #requestId = 0;

  constructor(options: ConnectionOptions) {
    const { clock, keepAliveIntervalMs: intervalMs } = options;
    this.#options = options;
    this.#pending = new PendingRequests(clock);
    this.#keepAlive = new KeepAlive({
      intervalMs,
      clock,
      ping: () => void this.write(encodeCommand("PING", {})),
      onDead: () => this.close(new NotConnectedError(`${this.remote} was silent for ${intervalMs} ms after a PING`)),
    });
    const write = (frame: Uint8Array): void => void this.write(frame);
    this.#refresh = new CredentialRefresh({ ...options, signal: this.#abort.signal, write });
  }

  get id(): number {
    return this.#options.id;
  }

  get remote(): string {
    return formatHostPort(this.#options.address.logical);
  }

  get isOpen(): boolean {
    return this.#state.kind === "open";
  }

  get maxMessageSizeBytes(): number {
    return this.#state.kind === "open" ? this.#state.result.maxMessageSizeBytes : DEFAULT_MAX_MESSAGE_SIZE_BYTES;
  }

  get protocolVersion(): number {
    return this.#state.kind === "open" ? this.#state.result.protocolVersion : 0;
  }

  get features(): FeatureFlags {
    return this.#state.kind === "open" ? this.#state.result.features : {};
  }

  get queuedBytes(): number {
    return this.#state.kind === "open" ? this.#state.writes.queuedBytes : 0;
  }

  /** Dials and makes the handshake. To be called once. Rejects with a typed error; the connection is closed then. */
  open(): Promise<void> {
    const { clock, connectionTimeoutMs } = this.#options;
    this.#openTimer = clock.setTimeout(() => {
      const step = this.#state.kind === "dialling" ? "no connection" : "no end of the handshake";
      this.close(new TimeoutError(`${step} with ${this.#target()} within ${connectionTimeoutMs} ms`));
    }, connectionTimeoutMs);
    void this.#dial();
    return this.#opened.promise;
  }

  async #dial(): Promise<void> {
    const { address, dialer, authentication } = this.#options;
    const events: TransportEvents = {
      onData: (chunk) => this.#onData(chunk),
      onDrain: () => {
        if ("writes" in this.#state) this.#state.writes.onDrain();
      },
      onClose: (cause) => this.close(this.#closedByPeer(cause)),
    };
    let transport: Transport;
    try {
      transport = await dialer(address.physical, events, this.#abort.signal);
    } catch (cause) {
      this.close(new ConnectError(`could not connect to ${this.#target()}: ${reasonOf(cause)}`, { cause }));
      return;
    }
    if (this.#state.kind !== "dialling") {
      transport.destroy();
      return;
    }
    const writes = new WriteQueue(transport);
    const handshake = new Handshake({
      address,
      authentication,
      signal: this.#abort.signal,
      write: (frame) => void writes.write(frame),
      onConnected: (result) => this.#onConnected(result),
      onFailed: (error) => this.close(error),
    });
    this.#state = { kind: "handshaking", transport, writes, handshake };
    await handshake.start();
  }

  #onConnected(result: HandshakeResult): void {
    const state = this.#state;
    if (state.kind !== "handshaking") return;
    const { clock, logger } = this.#options;
    this.#state = { kind: "open", transport: state.transport, writes: state.writes, result };
    this.#decoder.maxMessageSizeBytes = result.maxMessageSizeBytes;
    clock.clearTimeout(this.#openTimer);
    this.#keepAlive.start();
    logger.debug("connected", { connection: this.id, remote: this.remote, server: result.serverVersion });
    this.#opened.resolve();
  }

  request<T extends RequestType>(
    type: T,
    body: Omit<CommandBodies[T], "requestId">,
    options: RequestOptions = {},
  ): Promise<ResponseBody<T>> {
    if (this.#state.kind !== "open") return Promise.reject(this.#endOfRequest(options));
    if (options.signal?.aborted) return Promise.reject(options.signal.reason as Error);
    const requestId = this.nextRequestId();
    let frame: Uint8Array;
    try {
      frame = encodeCommand(type, { ...body, requestId } as unknown as CommandBodies[T]);
    } catch (error) {
      return Promise.reject(error as Error);
    }
    const answer = this.#pending.add(requestId, type, options.timeoutMs ?? this.#options.requestTimeoutMs, options);
    this.#state.writes.write(frame);
    return answer as Promise<ResponseBody<T>>;
  }

  nextRequestId(): Int64 {
    return this.#requestId++;
  }

  write(frame: Uint8Array): boolean {
    const state = this.#state;
    return "writes" in state ? state.writes.write(frame) : true;
  }

  onceDrained(callback: () => void): void {
    if (this.#state.kind === "open") this.#state.writes.onceDrained(callback);
  }

  attachProducer(producerId: number, handler: ProducerHandler): void {
    this.#handlers.attachProducer(producerId, handler);
  }

  detachProducer(producerId: number): void {
    this.#handlers.detachProducer(producerId);
  }

  attachConsumer(consumerId: number, handler: ConsumerHandler): void {
    this.#handlers.attachConsumer(consumerId, handler);
  }

  detachConsumer(consumerId: number): void {
    this.#handlers.detachConsumer(consumerId);
  }

  close(error: PulsarError = new AlreadyClosedError("the connection was closed")): void {
    const state = this.#state;
    if (state.kind === "closed") return;
    this.#state = { kind: "closed", error };
    const { clock, logger, onClosed } = this.#options;
    clock.clearTimeout(this.#openTimer);
    this.#keepAlive.stop();
    this.#refresh.stop();
    this.#abort.abort(error);
    if (state.kind === "handshaking") state.handshake.stop();
    if (state.kind !== "dialling") {
      state.writes.close();
      state.transport.destroy();
    }
    logger.debug("connection closed", { connection: this.id, remote: this.remote, error: error.message });
    this.#opened.reject(error);
    this.#pending.failAll((options) => this.#endOfRequest(options));
    this.#handlers.closeAll(this.#endOfRequest({}), (callback) => this.#guard(callback));
    this.#guard(() => onClosed(this, error));
  }

  #onData(chunk: Uint8Array): void {
    if (this.#state.kind === "closed") return;
    try {
      this.#decoder.decode(chunk, this.#onFrame);
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      this.close(new ConnectError(`${this.#target()} broke the protocol: ${reason}`, { cause }));
    }
  }

  // Throws for a command that cannot be decoded; #onData closes the connection then.
  readonly #onFrame = (frame: FrameView): void => {
    if (this.#state.kind === "closed") return;
    this.#keepAlive.onFrame();
    const command = decodeFrame(frame);
    this.#guard(() => this.#dispatch(command, frame));
  };

  #dispatch(command: Command, frame: FrameView): void {
    const state = this.#state;
    if (command.type === "PING") {
      // What already waits is sign of life enough. A peer that does not read must not fill the memory with PONGs.
      if ("writes" in state && !state.writes.isBehind) state.writes.write(encodeCommand("PONG", {}));
      return;
    }
    if (command.type === "PONG") return;
    if (state.kind === "handshaking") state.handshake.onCommand(command);
    else if (state.kind === "open") dispatchCommand(command, frame, this.#receiver);
    else this.close(new ConnectError(`${this.#target()} sent ${command.type} before CONNECT`));
  }

  #onError({ requestId, error, message }: CommandBodies["ERROR"]): void {
    // -1 speaks of the connection itself, e.g. of credentials that were not accepted at their renewal.
    if (requestId === -1) this.close(fromServerError(error, message));
    else if (!this.#pending.fail(requestId, error, message)) {
      this.#options.logger.debug("ignored an ERROR", { connection: this.id, requestId: String(requestId), message });
    }
  }

  #closedByPeer(cause: Error | undefined): PulsarError {
    if (this.#state.kind !== "open") {
      const why = cause === undefined ? "" : `: ${cause.message}`;
      return new ConnectError(`${this.#target()} closed the connection during the handshake${why}`, { cause });
    }
    const reason = cause === undefined ? "closed by the peer" : cause.message;
    return new NotConnectedError(`the connection to ${this.remote} was lost: ${reason}`, { cause });
  }

  /** What requests and handlers are told at the end, and whoever comes after it. */
  #endOfRequest(context: PulsarErrorContext): PulsarError {
    const cause = this.#state.kind === "closed" ? this.#state.error : undefined;
    if (cause?.code === "ALREADY_CLOSED") return new AlreadyClosedError(cause.message, { ...context, cause });
    const message = cause?.message ?? `the connection to ${this.remote} is not open`;
    return new NotConnectedError(message, { ...context, cause });
  }

  #target(): string {
    const { logical, physical } = this.#options.address;
    const [broker, socket] = [formatHostPort(logical), formatHostPort(physical)];
    return broker === socket ? broker : `${broker} by way of ${socket}`;
  }

  #guard(callback: () => void): void {
    try {
      callback();
    } catch (error) {
      this.#options.logger.error("a handler of the connection failed", { connection: this.id, error });
    }
  }
}

function reasonOf(cause: unknown): string {
  // A name with several addresses: Node gives one error for each, and no message of its own.
  if (cause instanceof AggregateError) return cause.errors.map(reasonOf).join(", ");
  return cause instanceof Error ? cause.message : String(cause);
}

/** Decodes the command of a frame so that the result may be kept. */
function decodeFrame({ buffer, commandStart, commandEnd, end }: FrameView): Command {
  const isOwnMemory = commandEnd < end;
  if (isOwnMemory || buffer[commandStart + 1] === SEND_RECEIPT_NUMBER) {
    return decodeCommand(buffer, commandStart, commandEnd);
  }
  // Bytes fields are views, and this memory is reused for the next chunk.
  return decodeCommand(Buffer.copyBytesFrom(buffer, commandStart, commandEnd - commandStart));
}
