import type { CommandBodies, Int64 } from "@pulsewire/protocol";
import { ConnectError, type PulsarError, TimeoutError } from "../errors.ts";
import { fromServerError } from "../server-errors.ts";
import type { Clock, Timer } from "../util/clock.ts";
import type { RequestOptions } from "./connection.ts";
import { RESPONSE_OF, type RequestType, type ResponseType } from "./request-types.ts";

interface Pending {
  readonly type: RequestType;
  readonly options: RequestOptions;
  readonly resolve: (body: CommandBodies[ResponseType]) => void;
  readonly reject: (error: unknown) => void;
  timer: Timer | undefined;
  onAbort: (() => void) | undefined;
}

/** The parts of an answer that say it is a refusal; each answer type has some of them. */
interface Refusal {
  readonly error?: number | undefined;
  readonly message?: string | undefined;
  readonly errorCode?: number | undefined;
  readonly errorMessage?: string | undefined;
}

/**
 * The requests of one connection that wait for their answers, by request id. Each settles exactly once: by its answer,
 * an ERROR, its deadline, its signal, or the end of the connection. An answer that comes later finds nobody and is
 * ignored, as is one to an id that was never given out.
 */
export class PendingRequests {
  readonly #clock: Clock;
  readonly #pending: Map<Int64, Pending> = new Map();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Number of requests that wait. */
  get size(): number {
    return this.#pending.size;
  }

  /** Waits for the answer to a request that is being sent. */
  add(id: Int64, type: RequestType, timeoutMs: number, options: RequestOptions): Promise<CommandBodies[ResponseType]> {
    return new Promise((resolve, reject) => {
      const { signal } = options;
      const pending: Pending = { type, options, resolve, reject, timer: undefined, onAbort: undefined };
      this.#pending.set(id, pending);
      pending.timer = this.#clock.setTimeout(() => {
        const message = `no answer to ${type} within ${timeoutMs} ms`;
        this.#take(id)?.reject(new TimeoutError(message, options));
      }, timeoutMs);
      if (signal === undefined) return;
      pending.onAbort = () => this.#take(id)?.reject(signal.reason);
      signal.addEventListener("abort", pending.onAbort);
    });
  }

  /**
   * An answer came.
   *
   * @returns an error when it is not the kind of answer the request calls for: the peer is out of step then
   */
  settle(id: Int64, type: ResponseType, body: CommandBodies[ResponseType]): PulsarError | undefined {
    const pending = this.#pending.get(id);
    if (pending === undefined) return undefined;
    const expected = RESPONSE_OF[pending.type];
    if (type !== expected) {
      return new ConnectError(`the broker answered ${pending.type} with ${type} instead of ${expected}`);
    }
    if (type === "PRODUCER_SUCCESS" && (body as CommandBodies["PRODUCER_SUCCESS"]).producerReady === false) {
      // Queued behind an exclusive producer: the real answer follows under the same id, whenever that may be.
      this.#clock.clearTimeout(pending.timer);
      pending.timer = undefined;
      pending.options.onQueued?.();
      return undefined;
    }
    this.#take(id);
    const refusal = body as Refusal;
    const code = refusal.error ?? refusal.errorCode;
    if (code === undefined) pending.resolve(body);
    else pending.reject(fromServerError(code, refusal.message ?? refusal.errorMessage, pending.options));
    return undefined;
  }

  /** An ERROR came. Says whether a request waited for it. */
  fail(id: Int64, code: number, message: string): boolean {
    const pending = this.#take(id);
    pending?.reject(fromServerError(code, message, pending.options));
    return pending !== undefined;
  }

  /** The connection is gone: everything that waits is rejected. */
  failAll(error: (options: RequestOptions) => PulsarError): void {
    for (const id of this.#pending.keys()) {
      const pending = this.#take(id);
      pending?.reject(error(pending.options));
    }
  }

  /** Removes a request and what belongs to its waiting. */
  #take(id: Int64): Pending | undefined {
    const pending = this.#pending.get(id);
    if (pending === undefined) return undefined;
    this.#pending.delete(id);
    this.#clock.clearTimeout(pending.timer);
    if (pending.onAbort !== undefined) pending.options.signal?.removeEventListener("abort", pending.onAbort);
    return pending;
  }
}
