/** Waiting for something that may never come. */

/** What was waited for did not come: it took too long, or nobody wants it any more. */
export class GaveUp extends Error {}

/**
 * The result of `work`, unless `signal` is aborted or `limit` milliseconds pass before it is there.
 *
 * The work itself goes on: whoever gives up ends what it depends on.
 *
 * @throws GaveUp, with the reason
 */
export function within<T>(work: Promise<T>, limit: number, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      done();
      reject(new GaveUp("cancelled"));
    };
    const timer = setTimeout(() => {
      done();
      reject(new GaveUp(`no response after ${limit / 1000} s`));
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
