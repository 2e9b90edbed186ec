import type { Logger } from "./logger.ts";

/** A listener of one event. What it throws or rejects with is logged and changes nothing else. */
export type Listener<T> = (event: T) => unknown;

/**
 * Events by name with the type of each. Listeners run in a microtask of their own, after the change that caused the
 * event is complete, in the order in which they were added.
 */
export class TypedEmitter<Events extends object> {
  readonly #logger: Logger;
  readonly #listeners: Map<keyof Events, Set<Listener<never>>> = new Map();

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  /** Adds a listener; the returned function removes it. The same function added twice is called once. */
  on<K extends keyof Events>(name: K, listener: Listener<Events[K]>): () => void {
    const listeners = this.#listeners.get(name) ?? new Set();
    listeners.add(listener);
    this.#listeners.set(name, listeners);
    return () => this.off(name, listener);
  }

  /** Removes a listener. */
  off<K extends keyof Events>(name: K, listener: Listener<Events[K]>): void {
    this.#listeners.get(name)?.delete(listener);
  }

  /** Whether anybody listens: lets a caller skip making an event that nobody sees. */
  hasListeners(name: keyof Events): boolean {
    return (this.#listeners.get(name)?.size ?? 0) > 0;
  }

  /** Tells everybody who listens now. */
  emit<K extends keyof Events>(name: K, event: Events[K]): void {
    const listeners = this.#listeners.get(name);
    if (listeners === undefined) return;
    for (const listener of listeners) queueMicrotask(() => this.#call(name, listener as Listener<Events[K]>, event));
  }

  /** Removes all listeners. */
  clear(): void {
    this.#listeners.clear();
  }

  #call<K extends keyof Events>(name: K, listener: Listener<Events[K]>, event: Events[K]): void {
    if (this.#listeners.get(name)?.has(listener) !== true) return;
    const report = (error: unknown): void => {
      this.#logger.error("a listener failed", { event: String(name), error });
    };
    try {
      const result = listener(event);
      if (result instanceof Promise) result.catch(report);
    } catch (error) {
      report(error);
    }
  }
}
