/** Money is an integer amount in minor units plus an ISO 4217 code, never a float. */
export const currency = "USD";

/** Divides non-negative integers and rounds half up to an integer. */
export const divideHalfUp = (numerator: number, denominator: number): number => {
  if (!Number.isSafeInteger(numerator * 2 + denominator)) throw new RangeError("Amount too large for exact arithmetic");
  return Math.floor((numerator * 2 + denominator) / (denominator * 2));
};

/** `percent` % of `cents`, rounded half up once. */
export const percentOf = (cents: number, percent: number): number => divideHalfUp(cents * percent, 100);
