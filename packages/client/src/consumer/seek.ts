import { AckSet, type CommandSeek, MessageId, type MessageIdData } from "@pulsewire/protocol";
import type { Connection } from "../connection/connection.ts";
import { InvalidConfigurationError, PulsarError } from "../errors.ts";
import type { Session } from "../session/session.ts";
import type { Clock } from "../util/clock.ts";
import type { SeekTarget } from "./consumer.ts";
import { type StartPosition, toStartPosition } from "./start-position.ts";

/** What a seeker works with. */
export interface SeekerOptions {
  readonly session: Session;
  readonly consumerId: number;
  readonly topic: string;
  readonly consumerName: string;
  readonly clock: Clock;
  readonly operationTimeoutMs: number;
  readonly startMessageIdInclusive: boolean;
  /** Aborted when the consumer ends. */
  readonly signal: AbortSignal;
  /** Sends what must reach the subscription before it moves. */
  readonly prepare: () => void;
  /** The subscription has moved: forget what came from the old place. */
  readonly moveTo: (position: StartPosition) => void;
  /** The broker did not do, or did not confirm, what looked like the move. */
  readonly onRefused: () => void;
}

interface Attempt {
  readonly connection: Connection;
  readonly position: StartPosition;
  hasMoved: boolean;
}

/**
 * Moves a subscription. A broker disconnects the consumers of a subscription that moves, and only then answers: so the
 * CLOSE_CONSUMER is taken for the move, and the seek is done when the answer is there and the consumer is attached again.
 * Several seeks run one after the other.
 */
export class Seeker {
  readonly #options: SeekerOptions;
  #attempt: Attempt | undefined;
  #last: Promise<void> = Promise.resolve();

  constructor(options: SeekerOptions) {
    this.#options = options;
  }

  /** Whether a seek is under way and the broker has closed the consumer for it. */
  get isMoving(): boolean {
    return this.#attempt?.hasMoved === true;
  }

  async seek(target: SeekTarget): Promise<void> {
    const position = toPosition(target, this.#options.startMessageIdInclusive);
    const done = this.#last.then(() => this.#run(target, position));
    this.#last = done.catch(() => {});
    await done;
  }

  /** Event: the broker closed the consumer on a connection. True when that is part of a seek. */
  onClosedByBroker(connection: Connection): boolean {
    const attempt = this.#attempt;
    if (attempt?.connection !== connection) return false;
    this.#move(attempt);
    return true;
  }

  async #run(target: SeekTarget, position: StartPosition): Promise<void> {
    const { session, clock, operationTimeoutMs, consumerId, topic, consumerName, prepare, signal } = this.#options;
    const deadline = clock.monotonicNow() + operationTimeoutMs;
    const remaining = (): number => Math.max(1, deadline - clock.monotonicNow());
    for (;;) {
      const connection = await session.whenReady({ timeoutMs: remaining() });
      prepare();
      const attempt: Attempt = { connection, position, hasMoved: false };
      this.#attempt = attempt;
      try {
        const body = { consumerId, ...toSeekBody(target) };
        await connection.request("SEEK", body, { timeoutMs: remaining(), topic, consumerName, signal });
        this.#move(attempt);
      } catch (error) {
        this.#attempt = undefined;
        // Whether the broker has moved it is not known, and doing it twice does no harm.
        if (isConnectionLoss(error) && clock.monotonicNow() < deadline) continue;
        if (attempt.hasMoved) this.#options.onRefused();
        throw error;
      }
      this.#attempt = undefined;
      await session.whenReady({ timeoutMs: remaining() });
      return;
    }
  }

  #move(attempt: Attempt): void {
    if (attempt.hasMoved) return;
    attempt.hasMoved = true;
    this.#options.moveTo(attempt.position);
  }
}

function isConnectionLoss(error: unknown): boolean {
  return PulsarError.isPulsarError(error) && error.code === "NOT_CONNECTED";
}

function toPosition(target: SeekTarget, isInclusive: boolean): StartPosition {
  if (MessageId.isMessageId(target)) return toStartPosition(target, isInclusive);
  const timestamp: unknown = (target as { readonly timestamp?: unknown } | undefined | null)?.timestamp;
  if (typeof timestamp === "number" && Number.isSafeInteger(timestamp) && timestamp >= 0) {
    return { kind: "time", publishTime: timestamp };
  }
  const given = typeof timestamp === "number" ? `{ timestamp: ${timestamp} }` : `{ timestamp: a ${typeof timestamp} }`;
  const expected = "a message id or { timestamp } in milliseconds since 1970";
  throw new InvalidConfigurationError("seek", [{ option: "target", given, expected }]);
}

function toSeekBody(target: SeekTarget): Pick<CommandSeek, "messageId" | "messagePublishTime"> {
  return MessageId.isMessageId(target) ? { messageId: toSeekId(target) } : { messagePublishTime: target.timestamp };
}

/** A broker goes on at the entry; which messages of a batch are wanted it takes from the ack_set alone. */
function toSeekId(id: MessageId): MessageIdData {
  const { ledger, entry } = id.firstChunkMessageId ?? id;
  const position = { ledgerId: ledger, entryId: entry };
  if (id.batchIndex < 1 || id.batchIndex >= id.batchSize) return position;
  const wanted = AckSet.ofSize(id.batchSize);
  wanted.ackCumulative(id.batchIndex - 1);
  return { ...position, ackSet: wanted.toWords() };
}
