/** Round ticks for an axis that starts at 0: at most five, the last not below the maximum value. */
export const axisTicks = (maxValue: number): number[] => {
  const top = Math.max(maxValue, 4);
  const whole = roundStep(top / 4);
  return Array.from({ length: Math.ceil(top / whole) + 1 }, (_, i) => i * whole);
};

/**
 * Round ticks for an axis that starts near the minimum value, which must not be negative. Like a zero baseline, the lowest
 * tick is not above the minimum and the highest not below the maximum.
 */
export const zoomedTicks = (minValue: number, maxValue: number): number[] => {
  const step = roundStep(Math.max(maxValue - minValue, maxValue / 50, 4) / 4);
  const first = Math.floor(minValue / step);
  const last = Math.max(first + 1, Math.ceil(maxValue / step));
  return Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
};

/** The next of 1, 2, 2.5, 5 and 10 times a power of ten, as a whole number. */
const roundStep = (rough: number): number => {
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * magnitude >= rough) ?? 10) * magnitude;
  return Math.max(1, Math.ceil(step));
};

/** Indexes of at most `maxLabels` labels, evenly spread over `count` values. */
export const labelIndexes = (count: number, maxLabels: number): number[] => {
  const interval = Math.max(1, Math.ceil(count / maxLabels));
  return Array.from({ length: count }, (_, i) => i).filter((i) => i % interval === 0);
};
