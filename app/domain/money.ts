import { grouped } from "./wording.ts";

/** Money is an integer amount in minor units plus an ISO 4217 code, never a float. */

/** What the service charges and keeps its rates in. */
export const currency = "USD";

/** The decimals of a currency's minor unit: 2 for most, 0 for JPY, 3 for KWD. @throws RangeError unless it is three letters */
export const minorDigitsOf = (code: string): number => {
  const known = minorDigits.get(code);
  if (known !== undefined) return known;
  const format = new Intl.NumberFormat("en", { style: "currency", currency: code });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  minorDigits.set(code, digits);
  return digits;
};

/** By currency. Looking one up takes far longer than the arithmetic. */
const minorDigits = new Map<string, number>();

/** An amount as written, such as `4310.5`, in minor units. Null if it is more precise than the currency, or too large. */
export const minorUnits = (written: string, code: string): number | null => {
  const [, whole, fraction = ""] = /^(\d+)(?:\.(?=\d)(\d*?)0*)?$/.exec(written) ?? [];
  const digits = minorDigitsOf(code);
  if (whole === undefined || fraction.length > digits) return null;
  const units = Number(whole + fraction.padEnd(digits, "0"));
  return Number.isSafeInteger(units) ? units : null;
};

/** An amount in minor units. Null if it is negative, more precise than the currency, or too large. */
export const inMinorUnits = (amount: number, code: string): number | null => {
  const scale = 10 ** minorDigitsOf(code);
  const units = Math.round(amount * scale);
  // The division is exact for the number that is nearest to a decimal.
  return units >= 0 && Number.isSafeInteger(units) && units / scale === amount ? units : null;
};

/** `4310.50`: an amount of minor units in major units. */
export const decimalAmount = (amount: number, code: string): string => {
  const digits = minorDigitsOf(code);
  return (amount / 10 ** digits).toFixed(digits);
};

/** `4310.50 USD`: an amount in digits that read the same in every region. */
export const writtenAmount = (amount: number, code: string): string => `${decimalAmount(amount, code)} ${code}`;

/**
 * Converts an amount into another currency, rounded half up to its minor unit.
 *
 * @param rate the price of one unit of `from` in units of `to`, as a decimal such as "1.0842"
 */
export const convertHalfUp = (
  amount: number,
  { from, to, rate }: { from: string; to: string; rate: string },
): number => {
  const [whole, fraction = ""] = rate.split(".");
  const numerator = BigInt(amount) * BigInt(`${whole}${fraction}`) * 10n ** BigInt(minorDigitsOf(to));
  const denominator = 10n ** BigInt(fraction.length + minorDigitsOf(from));
  return Number((numerator * 2n + denominator) / (denominator * 2n));
};

/** Divides non-negative integers and rounds half up to an integer. */
export const divideHalfUp = (numerator: number, denominator: number): number => {
  if (!Number.isSafeInteger(numerator * 2 + denominator)) throw new RangeError("Amount too large for exact arithmetic");
  return Math.floor((numerator * 2 + denominator) / (denominator * 2));
};

/** `percent` % of `cents`, rounded half up once. */
export const percentOf = (cents: number, percent: number): number => divideHalfUp(cents * percent, 100);

/** An amount in minor units of a currency with two decimals: `USD 1,234.50`. */
export const money = (cents: number, currency: string): string => {
  const [whole, fraction] = (cents / 100).toFixed(2).split(".");
  return `${currency} ${grouped(Number(whole))}.${fraction}`;
};
