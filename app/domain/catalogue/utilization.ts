/**
 * How much of a sailing's room is taken, in percent with one decimal.
 * A route whose capacity nobody has reported yet has no room: all of it counts as taken.
 */
export const utilizationPercent = (nominal: number, available: number): number =>
  nominal === 0 ? 100 : Math.round((1 - available / nominal) * 1000) / 10;
