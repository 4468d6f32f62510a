/**
 * The share of a sailing's capacity that is booked, in percent with one decimal. 100 for a route without a capacity
 * report.
 */
export const utilizationPercent = (nominal: number, available: number): number =>
  nominal === 0 ? 100 : Math.round((1 - available / nominal) * 1000) / 10;
