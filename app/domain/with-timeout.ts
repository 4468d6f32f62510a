/** Limits how long to wait for work. @throws Error when the time limit has passed; the work itself continues */
export const withTimeout = async <Result>(limitMs: number, work: Promise<Result>): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // After a pause of this process the result may already be waiting: let the event loop deliver it first.
      setImmediate(() => reject(new Error(`No answer within ${limitMs} ms`)));
    }, limitMs);
  });
  try {
    return await Promise.race([work, timedOut]);
  } finally {
    clearTimeout(timer);
  }
};
