/** Round ticks for an axis that starts at 0: at most five, the last not below the maximum value. */
export const axisTicks = (greatest: number): number[] => {
  const top = Math.max(greatest, 4);
  const rough = top / 4;
  const magnitude = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * magnitude >= rough) ?? 10) * magnitude;
  const whole = Math.max(1, Math.ceil(step));
  return Array.from({ length: Math.ceil(top / whole) + 1 }, (_, i) => i * whole);
};

/** Indexes of at most `maxLabels` labels, evenly spread over `count` values. */
export const labelIndexes = (count: number, most: number): number[] => {
  const every = Math.max(1, Math.ceil(count / most));
  return Array.from({ length: count }, (_, i) => i).filter((i) => i % every === 0);
};
