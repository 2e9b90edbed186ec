import type { Int64 } from "@pulsewire/protocol";

/** Values by ledger id and entry id, in the order of their ledgers' and then their own arrival. */
export class EntryMap<V> {
  readonly #ledgers: Map<Int64, Map<Int64, V>> = new Map();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(ledger: Int64, entry: Int64): V | undefined {
    return this.#size === 0 ? undefined : this.#ledgers.get(ledger)?.get(entry);
  }

  has(ledger: Int64, entry: Int64): boolean {
    return this.#size > 0 && this.#ledgers.get(ledger)?.has(entry) === true;
  }

  set(ledger: Int64, entry: Int64, value: V): void {
    let entries = this.#ledgers.get(ledger);
    if (entries === undefined) {
      entries = new Map();
      this.#ledgers.set(ledger, entries);
    }
    const before = entries.size;
    entries.set(entry, value);
    this.#size += entries.size - before;
  }

  delete(ledger: Int64, entry: Int64): boolean {
    const entries = this.#ledgers.get(ledger);
    if (entries?.delete(entry) !== true) return false;
    this.#size -= 1;
    if (entries.size === 0) this.#ledgers.delete(ledger);
    return true;
  }

  /** Removes what the test picks. */
  deleteWhere(test: (value: V, ledger: Int64, entry: Int64) => boolean): void {
    for (const [ledger, entries] of this.#ledgers) {
      for (const [entry, value] of entries) if (test(value, ledger, entry)) this.delete(ledger, entry);
    }
  }

  /** Removes the value that has been here longest in the ledger that has been here longest. */
  deleteOldest(): void {
    for (const [ledger, entries] of this.#ledgers) {
      for (const entry of entries.keys()) {
        this.delete(ledger, entry);
        return;
      }
    }
  }

  forEach(visit: (value: V, ledger: Int64, entry: Int64) => void): void {
    for (const [ledger, entries] of this.#ledgers) {
      for (const [entry, value] of entries) visit(value, ledger, entry);
    }
  }

  clear(): void {
    this.#ledgers.clear();
    this.#size = 0;
  }
}
