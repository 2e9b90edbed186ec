/**
 * A first-in first-out queue in a ring of slots: adding and taking cost a few instructions and no memory once the ring
 * has its size. It grows by doubling and never shrinks; taken slots are emptied, so nothing is kept alive.
 */
export class RingQueue<T> {
  #slots: (T | undefined)[];
  #mask: number;
  #head = 0;
  #length = 0;

  /** @param initialCapacity rounded up to a power of two; 16 by default */
  constructor(initialCapacity = 16) {
    let capacity = 1;
    while (capacity < initialCapacity) capacity *= 2;
    this.#slots = Array.from({ length: capacity }, () => undefined);
    this.#mask = capacity - 1;
  }

  /** Number of values in the queue. */
  get length(): number {
    return this.#length;
  }

  /** Adds at the end. */
  push(value: T): void {
    if (this.#length > this.#mask) this.#grow();
    this.#slots[(this.#head + this.#length) & this.#mask] = value;
    this.#length += 1;
  }

  /** Adds at the front: the next {@link shift} gives it. */
  unshift(value: T): void {
    if (this.#length > this.#mask) this.#grow();
    this.#head = (this.#head - 1) & this.#mask;
    this.#slots[this.#head] = value;
    this.#length += 1;
  }

  /** Takes the oldest value; undefined when empty. */
  shift(): T | undefined {
    if (this.#length === 0) return undefined;
    const value = this.#slots[this.#head];
    this.#slots[this.#head] = undefined;
    this.#head = (this.#head + 1) & this.#mask;
    this.#length -= 1;
    return value;
  }

  /** The oldest value, left where it is; undefined when empty. */
  peek(): T | undefined {
    return this.#slots[this.#head];
  }

  /** The value at a place counted from the oldest; undefined when out of range. */
  at(index: number): T | undefined {
    if (index < 0 || index >= this.#length) return undefined;
    return this.#slots[(this.#head + index) & this.#mask];
  }

  /** Removes the first occurrence of a value, keeping the order of the rest; says whether it was there. */
  remove(value: T): boolean {
    if (this.#length > 0 && this.peek() === value) {
      this.shift();
      return true;
    }
    for (let index = 0; index < this.#length; index++) {
      if (this.at(index) !== value) continue;
      for (let next = index; next < this.#length - 1; next++) {
        this.#slots[(this.#head + next) & this.#mask] = this.at(next + 1);
      }
      this.#slots[(this.#head + this.#length - 1) & this.#mask] = undefined;
      this.#length -= 1;
      return true;
    }
    return false;
  }

  /** Takes everything out, oldest first. */
  drain(): T[] {
    const values: T[] = [];
    while (this.#length > 0) values.push(this.shift() as T);
    return values;
  }

  /** Forgets everything. */
  clear(): void {
    this.#slots.fill(undefined);
    this.#head = 0;
    this.#length = 0;
  }

  #grow(): void {
    const bigger: (T | undefined)[] = Array.from({ length: this.#slots.length * 2 }, () => undefined);
    for (let index = 0; index < this.#length; index++) {
      bigger[index] = this.#slots[(this.#head + index) & this.#mask];
    }
    this.#slots = bigger;
    this.#mask = bigger.length - 1;
    this.#head = 0;
  }
}
