import { type Int64, toInt64 } from "@pulsewire/protocol";
import { InvalidMessageError } from "../errors.ts";

const INT64_MAX = 9223372036854775807n;

/** The sequence ids of one producer: which one is next, which were used, and which the broker has confirmed. */
export class SequenceIds {
  #highestUsed: Int64 = -1;
  #lastConfirmed: Int64 = -1;

  /** Highest id that the broker has confirmed; -1 before the first. */
  get lastConfirmed(): Int64 {
    return this.#lastConfirmed;
  }

  /** Goes on after this id: the one that the options or, with deduplication, the broker gave. */
  startAfter(id: Int64): void {
    this.#highestUsed = id;
    this.#lastConfirmed = id;
  }

  /**
   * The next id in turn: one above the highest so far.
   *
   * @throws InvalidMessageError after 2^63 - 1
   */
  next(): Int64 {
    const highest = this.#highestUsed;
    if (typeof highest === "number" && highest < Number.MAX_SAFE_INTEGER) return highest + 1;
    if (BigInt(highest) >= INT64_MAX) throw new InvalidMessageError("no sequence id is left above 2^63 - 1");
    return toInt64(BigInt(highest) + 1n);
  }

  /** Marks an id as used; says whether it repeats or undercuts one, so that the broker may take it for a duplicate. */
  use(id: Int64): boolean {
    if (id <= this.#highestUsed) return true;
    this.#highestUsed = id;
    return false;
  }

  /** The broker has confirmed everything up to this id. */
  confirm(id: Int64): void {
    if (id > this.#lastConfirmed) this.#lastConfirmed = id;
  }
}
