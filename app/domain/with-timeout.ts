import { isPromise, type MaybePromise } from "../platform/maybe-promise.ts";

/** Limits how long to wait for work. @throws Error when the time limit has passed; the work itself continues */
export const withTimeout = <Result>(limitMs: number, work: MaybePromise<Result>): Promise<Result> =>
  new Promise((resolve, reject) => {
    if (!isPromise(work)) {
      resolve(work);
      return;
    }
    const timer = setTimeout(() => {
      // After a pause of this process the result may already be waiting: let the event loop deliver it first.
      setImmediate(() => reject(new Error(`No answer within ${limitMs} ms`)));
    }, limitMs);
    work.then(
      (result) => {
        clearTimeout(timer);
        resolve(result);
      },
      (error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
