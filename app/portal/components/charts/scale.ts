/** Round ticks for an axis that starts at 0: at most five, the last not below the maximum value. */
export const axisTicks = (maxValue: number): number[] => {
  const top = Math.max(maxValue, 4);
  const rough = top / 4;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * magnitude >= rough) ?? 10) * magnitude;
  const whole = Math.max(1, Math.ceil(step));
  return Array.from({ length: Math.ceil(top / whole) + 1 }, (_, i) => i * whole);
};

/** Indexes of at most `maxLabels` labels, evenly spread over `count` values. */
export const labelIndexes = (count: number, maxLabels: number): number[] => {
  const interval = Math.max(1, Math.ceil(count / maxLabels));
  return Array.from({ length: count }, (_, i) => i).filter((i) => i % interval === 0);
};
