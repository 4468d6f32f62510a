/** The words of a search query. */
import { z } from "zod";

/**
 * The distinct words to search for. Ignores accents, arrows and dashes between ports, and "from" and "to" beside other
 * words.
 */
export const searchWords = (q: string | undefined): string[] => {
  const words = (q ?? "")
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .split(/[\s\p{Cc},;→>]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const telling = words.filter((word) => !/^(from|to)$/i.test(word));
  return [...new Map((telling.length > 0 ? telling : words).map((word) => [word.toLowerCase(), word])).values()];
};

/** A limit, as each word searches the whole catalogue. */
export const maxSearchWords = 12;

export const searchText = z
  .string()
  .trim()
  .max(200, "At most 200 characters")
  .refine((q) => searchWords(q).length <= maxSearchWords, `At most ${maxSearchWords} words`);
