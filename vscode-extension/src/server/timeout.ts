/** Promises with a time limit. */

/** The result did not arrive within the limit, or the caller cancelled the wait. */
export class TimeoutError extends Error {}

/**
 * The result of `work`, unless `signal` is aborted or `limit` milliseconds pass before it is there.
 *
 * The work itself goes on: the caller ends what it depends on.
 *
 * @throws TimeoutError, with the reason
 */
export function withTimeout<T>(work: Promise<T>, limit: number, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      done();
      reject(new TimeoutError("cancelled"));
    };
    const timer = setTimeout(() => {
      done();
      reject(new TimeoutError(`no response after ${limit / 1000} s`));
    }, limit);
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", abort);
    };
    signal.addEventListener("abort", abort);
    work.finally(done).then(resolve, reject);
    if (signal.aborted) abort();
  });
}
