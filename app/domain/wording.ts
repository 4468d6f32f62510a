/** Numbers, dates and lists in English sentences that read the same in every region: mails, the API's description, the guides. */

/** `25,000`. */
export const grouped = (count: number): string => String(count).replace(/\B(?=(\d{3})+$)/g, ",");

/** `3 days`, `1 day`. */
export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`;

/** `7 days, 3 days and 1 day`. */
export const listed = (parts: readonly string[]): string => conjunction.format(parts);

const conjunction = new Intl.ListFormat("en-GB", { type: "conjunction" });

/** `Free`, for a name as the API writes it. */
export const capitalised = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** `2026-12-20`: `20 Dec 2026`. */
export const dayInWords = (day: string): string => {
  const [year, month, dayOfMonth] = day.split("-").map(Number);
  return `${dayOfMonth} ${monthNames[(month ?? 1) - 1]?.slice(0, 3)} ${year}`;
};

/** `2026-12`: `December 2026`. */
export const monthInWords = (month: string): string => {
  const [year, number] = month.split("-").map(Number);
  return `${monthNames[(number ?? 1) - 1]} ${year}`;
};

/** `20 Dec 2026, 09:30 UTC`. */
export const instantInWords = (instant: Date): string => {
  const [day = "", time = ""] = instant.toISOString().split("T");
  return `${dayInWords(day)}, ${time.slice(0, 5)} UTC`;
};

const monthNames = "January February March April May June July August September October November December".split(" ");
