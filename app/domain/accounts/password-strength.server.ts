/**
 * Rejects passwords that are quickly guessed: those of leaked lists, their variants, keyboard patterns, and the account's own
 * words. Lengths are checked by the schemas.
 */
import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";
import { invalid } from "../errors.ts";
import type { Account } from "./caller.ts";
import { leastGuesses } from "./policy.ts";

/** The time for a check grows with the length, and nobody guesses this many characters. */
const checkedLength = 40;

let loaded: ZxcvbnFactory | undefined;

/** Built with the first password: most processes check none for a long time. */
const estimator = (): ZxcvbnFactory => {
  loaded ??= new ZxcvbnFactory({
    dictionary: { passwords: dictionary["passwords-common"] },
    graphs: adjacencyGraphs,
    l33tMaxSubstitutions: 10,
  });
  return loaded;
};

const serviceWords = ["shipping", "route", "data", "service", "shippingroute", "shippingroutedata", "srds"];

/** The username and the address, whole and in parts: `ops@forwarder.example` has `ops` and `forwarder`. */
const ownWords = ({ email, username }: Pick<Account, "email" | "username">): string[] => {
  const whole = [email, username, ...email.split("@")];
  const parts = whole.flatMap((word) => word.split(/[^\p{L}\p{N}]+/u));
  return [...new Set([...whole, ...parts].map((word) => word.toLowerCase()))].filter((word) => word.length > 2);
};

/**
 * Whether almost nothing is left without these words. The estimator finds them only at the ends of a password: it takes one
 * between two spaces for random letters.
 */
const isMadeOf = (words: readonly string[], password: string): boolean => {
  const longestFirst = words.toSorted((a, b) => b.length - a.length);
  const left = longestFirst.reduce((text, word) => text.replaceAll(word, " "), password.toLowerCase());
  const [letters, characters] = [left.replace(/\P{L}/gu, ""), left.replace(/\s/gu, "")];
  return letters.length < leastLetters && characters.length < leastCharacters && left !== password.toLowerCase();
};

/** Less than this besides known words, such as a year, is guessed quickly. */
const [leastLetters, leastCharacters] = [4, 8];

/**
 * @param field the form's field, for the message
 * @throws invalid for a password that is easy to guess
 */
export const refuseGuessable = (
  password: string,
  holder: Pick<Account, "email" | "username">,
  field: "password" | "new_password",
): void => {
  const known = [...serviceWords, ...ownWords(holder)];
  if (isMadeOf(known, password)) throw invalid(field, messages.own);
  const { guesses, sequence } = estimator().check(password.slice(0, checkedLength), known);
  if (guesses >= leastGuesses) return;
  const isOwn = sequence.some((match) => "dictionaryName" in match && match.dictionaryName === "userInputs");
  throw invalid(field, isOwn ? messages.own : messages.common);
};

const advice = "Use several words that have nothing to do with each other";
const messages = {
  own: `This password is easy to guess: it contains your name, your address or our name. ${advice}`,
  common: `This password is easy to guess: it is a common password or a simple pattern. ${advice}`,
};
