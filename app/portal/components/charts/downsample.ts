/**
 * Indexes of at most `limit` values that keep a chart's shape: the first, the last, and of each stretch the lowest and the
 * highest value of every series. All indexes, if there are few enough.
 */
export const downsample = (series: readonly (readonly (number | null)[])[], limit: number): number[] => {
  const count = series[0]?.length ?? 0;
  if (count <= limit) return Array.from({ length: count }, (_, i) => i);
  const stretches = Math.max(1, Math.floor((limit - 2) / (2 * series.length)));
  const kept = new Set([0, count - 1]);
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = Math.floor((stretch * count) / stretches);
    const to = Math.floor(((stretch + 1) * count) / stretches);
    for (const values of series) {
      let [lowest, highest] = [-1, -1];
      for (let i = from; i < to; i++) {
        const value = values[i] ?? null;
        if (value === null) continue;
        if (lowest < 0 || value < (values[lowest] ?? 0)) lowest = i;
        if (highest < 0 || value > (values[highest] ?? 0)) highest = i;
      }
      if (lowest >= 0) kept.add(lowest).add(highest);
    }
  }
  return [...kept].sort((a, b) => a - b);
};
