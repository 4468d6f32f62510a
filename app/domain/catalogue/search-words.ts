/** The words of a search query. */
import { z } from "zod";

/** In lower case, without accents. */
export const plain = (text: string): string => withoutAccents(text).toLowerCase();

const withoutAccents = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/\p{Mn}/gu, "")
    .replace(/[øØ]/g, "o")
    .replace(/[łŁ]/g, "l")
    .replace(/ß/g, "ss");

/** Splits at spaces, commas, and arrows and dashes between ports. */
const split = (q: string): string[] =>
  withoutAccents(q)
    .split(/[\s\p{Cc},;→>]+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));

const isDirection = (word: string): boolean => /^(from|to)$/i.test(word);

/**
 * The distinct words to search for. Ignores accents, arrows and dashes between ports, and "from" and "to" beside other
 * words.
 */
export const searchWords = (q: string | undefined): string[] => {
  const words = split(q ?? "");
  const telling = words.filter((word) => !isDirection(word));
  return [...new Map((telling.length > 0 ? telling : words).map((word) => [word.toLowerCase(), word])).values()];
};

/** Something to search for: a word, or a phrase that the vocabulary knows, such as "far east". */
export type Term = {
  /** In lower case, without accents; words are separated by single spaces. */
  text: string;
  /** The end of the route that "from" or "to" before it asks for. */
  end: "origin" | "destination" | null;
};

export type KnownTexts = {
  /** Whether the text is the code of a record. Such a word is not split at its hyphens. */
  isCode(text: string): boolean;
  /** Whether the text is a name or alias of several words. */
  isPhrase(text: string): boolean;
};

const longestPhrase = 5;

/** The distinct terms of a query, in order. */
export const searchTerms = (q: string | undefined, known: KnownTexts): Term[] => {
  const words = split(q ?? "").map(plain);
  const hasOthers = words.some((word) => !isDirection(word));
  const terms = new Map<string, Term>();
  let end: Term["end"] = null;
  const parts: string[] = [];
  const flush = () => {
    for (const text of phrasesIn(parts, known)) if (!terms.has(text)) terms.set(text, { text, end });
    parts.length = 0;
  };
  for (const word of words) {
    if (hasOthers && isDirection(word)) {
      flush();
      end = word === "from" ? "origin" : "destination";
    } else if (known.isCode(word)) parts.push(word);
    else parts.push(...wordsOf(word));
  }
  flush();
  return [...terms.values()];
};

/** The words of a name, split at everything that is neither a letter nor a digit. */
export const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");

/** Joins words that are a phrase together, the longest first. */
const phrasesIn = (words: readonly string[], { isPhrase }: KnownTexts): string[] => {
  const terms: string[] = [];
  for (let at = 0; at < words.length; ) {
    let length = Math.min(longestPhrase, words.length - at);
    while (length > 1 && !isPhrase(words.slice(at, at + length).join(" "))) length--;
    terms.push(words.slice(at, at + length).join(" "));
    at += length;
  }
  return terms;
};

/** A limit, as each word searches the whole catalogue. */
export const maxSearchWords = 12;

export const searchText = z
  .string()
  .trim()
  .max(200)
  .refine((q) => searchWords(q).length <= maxSearchWords, `At most ${maxSearchWords} words`);
