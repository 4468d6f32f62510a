/** Dates, money and numbers as the portal shows them: English, UTC. */

const locale = "en-GB";
const day = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const shortDay = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });
const month = new Intl.DateTimeFormat(locale, { month: "short", year: "numeric", timeZone: "UTC" });
const time = new Intl.DateTimeFormat(locale, { hour: "2-digit", minute: "2-digit", timeZone: "UTC" });
const whole = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });
const oneDigit = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });
const compact = new Intl.NumberFormat("en-US", { notation: "compact", maximumFractionDigits: 1 });

/** `2026-11-30` or an instant: `30 Nov 2026`. */
export const formatDay = (value: string | Date): string => day.format(new Date(value));

/** `30 Nov`. */
export const formatShortDay = (value: string | Date): string => shortDay.format(new Date(value));

/** `Nov 2026`. */
export const formatMonth = (value: string | Date): string => month.format(new Date(value));

/** `30 Nov 2026, 14:05 UTC`. */
export const formatInstant = (value: string | Date): string =>
  `${formatDay(value)}, ${time.format(new Date(value))} UTC`;

/** `$1,234.50`. */
export const formatMoney = (cents: number, currency = "USD"): string =>
  new Intl.NumberFormat("en-US", { style: "currency", currency }).format(cents / 100);

/** `12,345`. */
export const formatNumber = (value: number): string => whole.format(value);

/** `12.3K`, for where there is little room. */
export const formatCompact = (value: number): string => compact.format(value);

/** A share from 0 to 1: `2.4%`. */
export const formatShare = (share: number): string => `${oneDigit.format(share * 100)}%`;

/** `10,537 nm`. */
export const formatNauticalMiles = (miles: number): string => `${whole.format(miles)} nm`;

/** `31 days`, `1 day`, `2.5 days`. */
export const formatDays = (days: number): string => `${oneDigit.format(days)} ${days === 1 ? "day" : "days"}`;

/** `3 routes`, `1 route`. */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${whole.format(count)} ${count === 1 ? one : many}`;

/** `37 ms`, `1.2 s`. */
export const formatDuration = (milliseconds: number): string =>
  milliseconds < 1000 ? `${whole.format(milliseconds)} ms` : `${oneDigit.format(milliseconds / 1000)} s`;

/** `18.2 KB`. */
export const formatBytes = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} B`;
  return bytes < 1_000_000 ? `${oneDigit.format(bytes / 1000)} KB` : `${oneDigit.format(bytes / 1_000_000)} MB`;
};

/** How far a day is from today (both `YYYY-MM-DD`): `today`, `in 6 days`, `3 days ago`. */
export const formatFromToday = (value: string, today: string): string => {
  const days = Math.round((Date.parse(value) - Date.parse(today)) / 86_400_000);
  if (days === 0) return "today";
  if (days === 1) return "tomorrow";
  if (days === -1) return "yesterday";
  return days > 0 ? `in ${days} days` : `${-days} days ago`;
};

/** `ro_ro` is `Ro-Ro`, `real_time` is `Real-time`, `3_months` is `3 months`: the contract's words for people. */
export const formatWord = (word: string): string => {
  const known = words[word];
  if (known) return known;
  const spaced = word.replaceAll("_", " ");
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
};

const words: Record<string, string> = {
  ro_ro: "Ro-Ro",
  break_bulk: "Break bulk",
  real_time: "Real-time",
  tonnes_dwt: "tonnes DWT",
  lane_metres: "lane metres",
  freight_tonnes: "freight tonnes",
  per_teu: "per TEU",
  per_bl: "per B/L",
};
