/** A promise that is rejected from the start and that nobody needs to observe: misuse must not end the process. */
export function rejected(error: unknown): Promise<never> {
  const promise = Promise.reject<never>(error as Error);
  promise.catch(() => {});
  return promise;
}

/** The same promise, whose rejection nobody needs to observe: a close may cause it before its caller comes to look. */
export function unobserved<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
