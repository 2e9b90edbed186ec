import type { MessageId } from "@pulsewire/protocol";
import type { StartPosition } from "./start-position.ts";

const EARLIEST: StartPosition = { kind: "earliest" };

/**
 * Where a subscription that the broker does not keep begins, and begins again after a lost connection. A durable one has
 * its position at the broker and needs this only for what a seek leaves out.
 */
export class ResumePoint {
  #start: StartPosition | undefined;
  #subscribeFrom: StartPosition | undefined;
  #rollbackSec: number | undefined;

  /**
   * @param start undefined leaves it to the subscription's initial position
   * @param rollbackSec seconds before now at which it begins instead
   */
  constructor(start: StartPosition | undefined, rollbackSec: number | undefined) {
    this.#start = start;
    this.#subscribeFrom = start;
    this.#rollbackSec = rollbackSec;
  }

  /** What the filter goes by, and what was read is compared with. */
  get start(): StartPosition {
    return this.#start ?? EARLIEST;
  }

  /** What SUBSCRIBE names: the start, or the first chunk of a message that was not taken there. */
  get subscribeFrom(): StartPosition | undefined {
    return this.#subscribeFrom;
  }

  /** `start_message_rollback_duration_sec`, until there is something to go on from. */
  get rollbackSec(): number | undefined {
    return this.#rollbackSec;
  }

  /** A seek has moved the subscription. */
  moveTo(position: StartPosition): void {
    this.#start = position;
    this.#subscribeFrom = position;
    this.#rollbackSec = undefined;
  }

  /**
   * The connection is lost: the next SUBSCRIBE begins behind what the application has.
   *
   * @param firstChunks of messages behind the position, which may begin before it
   */
  resumeAt(position: StartPosition, firstChunks: readonly (MessageId | undefined)[]): void {
    this.moveTo(position);
    if (position.kind !== "id") return;
    let oldest = position.id.firstChunkMessageId ?? position.id;
    for (const first of firstChunks) {
      if (first?.isBefore(oldest) !== true) continue;
      oldest = first;
      this.#subscribeFrom = { kind: "id", id: oldest, isInclusive: true };
    }
  }
}
