/** When a worker that has died is replaced. */

/** A worker that lived longer than this did not die of its start. */
const settledMs = 60_000;
const longestDelayMs = 30_000;
const mostFailedStarts = 5;

/** How many workers in one place have died soon after their start, one after the other. */
export type Deaths = { early: number; withoutServing: number };

export const noDeaths: Deaths = { early: 0, withoutServing: 0 };

export const deathsAfter = (earlier: Deaths, death: { livedMs: number; hasServed: boolean }): Deaths => ({
  early: death.livedMs >= settledMs ? 1 : earlier.early + 1,
  withoutServing: death.hasServed ? 0 : earlier.withoutServing + 1,
});

/** Retry with backoff: at once, then after 1, 2, 4 … seconds. Null: workers do not even start any more, so give up. */
export const restartDelayMs = ({ early, withoutServing }: Deaths): number | null => {
  if (withoutServing >= mostFailedStarts) return null;
  return early <= 1 ? 0 : Math.min(1_000 * 2 ** (early - 2), longestDelayMs);
};
