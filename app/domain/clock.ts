/** The only place that knows what time it is; everything else is told. */
export type Clock = { now(): Date };

// biome-ignore lint/plugin: this is the one reader of the machine's time
export const systemClock: Clock = { now: () => new Date() };

/**
 * Why two clocks: the test clock may be ahead, while the phones that make one-time codes follow real time. What is
 * compared with a phone is compared with `systemClock`, as `deviceClock` in Context; everything else follows `clock`.
 */

/** Stands still until it is set: for tests, and for whatever must happen "as of" a moment. */
export const fixedClock = (start: string): Clock & { set(instant: string): void } => {
  let current = new Date(start);
  return {
    now: () => new Date(current),
    set: (instant) => {
      current = new Date(instant);
    },
  };
};

/** Runs ahead of another clock by `aheadMs()`, asked at every reading: the test clock. */
export const shiftedClock = (base: Clock, aheadMs: () => number): Clock => ({
  now: () => new Date(base.now().getTime() + aheadMs()),
});
