/** Text as it stands in a pattern of SQL's LIKE: its own `%` and `_` stand for themselves. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/** The pattern that finds the text anywhere. Compare with ILIKE, or with both sides in lower case. */
export const containsPattern = (text: string): string => `%${escapeLike(text)}%`;
