/** How long an answer waits for work to end; longer work goes on after it. */
const patienceMs = 2_000;

/** @throws what the work throws in that time */
export const pollingIntervalMs = async (work: Promise<void>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const enough = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patienceMs);
  });
  await Promise.race([work, enough]).finally(() => clearTimeout(timer));
};
