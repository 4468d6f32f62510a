/** @throws Error when the time is over; the work itself goes on */
export const withTimeout = async <Result>(limitMs: number, work: Promise<Result>): Promise<Result> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      // If this process stood still, the answer may have arrived meanwhile: read it before giving up.
      setImmediate(() => reject(new Error(`No answer within ${limitMs} ms`)));
    }, limitMs);
  });
  try {
    return await Promise.race([work, tooLate]);
  } finally {
    clearTimeout(timer);
  }
};
