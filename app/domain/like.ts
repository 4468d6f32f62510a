/** Escapes text for use in a LIKE pattern, so that `%` and `_` match literally. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/** A pattern that matches the text anywhere. Use ILIKE, or lower-case both sides. */
export const containsPattern = (text: string): string => `%${escapeLike(text)}%`;
