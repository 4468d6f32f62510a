/** Numbers and lists in English sentences that read the same in every region: mails, the API's description, the guides. */

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
