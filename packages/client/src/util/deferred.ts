/** A promise with its settling functions outside. Settling twice is harmless: the first call wins. */
export class Deferred<T> {
  readonly promise: Promise<T>;
  #resolve: (value: T) => void = unset;
  #reject: (error: unknown) => void = unset;
  #isSettled = false;

  constructor() {
    this.promise = new Promise<T>((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  /** True once resolve or reject was called. */
  get isSettled(): boolean {
    return this.#isSettled;
  }

  resolve(value: T): void {
    this.#isSettled = true;
    this.#resolve(value);
  }

  reject(error: unknown): void {
    this.#isSettled = true;
    this.#reject(error);
  }

  /** Declares that a rejection may go unobserved, e.g. when every holder of the promise is optional. */
  ignoreRejection(): this {
    this.promise.catch(() => {});
    return this;
  }
}

// The constructor of Promise runs its function before it returns, so this is never called.
function unset(): void {}
