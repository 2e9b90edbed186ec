/** A promise that is rejected from the start and that nobody needs to observe: misuse must not end the process. */
export function rejected(error: unknown): Promise<never> {
  const promise = Promise.reject<never>(error as Error);
  promise.catch(() => {});
  return promise;
}
