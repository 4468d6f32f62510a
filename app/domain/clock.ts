/** The only file that reads the machine's clock. Everything else takes the time from an injected `Clock`. */
export type Clock = { now(): Date };

// biome-ignore lint/plugin: this is the one reader of the machine's time
export const systemClock: Clock = { now: () => new Date() };

/**
 * Context has two clocks because the test clock may run ahead, while phones that generate one-time codes follow real
 * time. Compare with `deviceClock` (the system clock) what a phone has produced, and use `clock` for everything else.
 */

/** Stands still until it is set. For tests, and for work that must happen "as of" an instant. */
export const fixedClock = (start: string): Clock & { set(instant: string): void } => {
  let current = new Date(start);
  return {
    now: () => new Date(current),
    set: (instant) => {
      current = new Date(instant);
    },
  };
};

/** Runs ahead of another clock by `aheadMs()`, which is called on every reading. The test clock is one. */
export const shiftedClock = (base: Clock, aheadMs: () => number): Clock => ({
  now: () => new Date(base.now().getTime() + aheadMs()),
});
