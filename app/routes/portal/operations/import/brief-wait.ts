/** A response waits this long for the work. Longer work continues after the response. */
const maxWaitMs = 2_000;

/** @throws what the work throws within that time */
export const waitBriefly = async (work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, maxWaitMs);
  });
  await Promise.race([work, enough]).finally(() => clearTimeout(timer));
};
