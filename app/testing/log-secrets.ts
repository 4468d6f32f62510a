/** Finds in a log what must never be in one: credentials and personal data, by their form. */
import { secretPattern } from "../domain/api-keys/secret-pattern.ts";

const passesLuhn = (digits: string): boolean =>
  [...digits].reverse().reduce((sum, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 1 : 2);
    return sum + (value > 9 ? value - 9 : value);
  }, 0) %
    10 ===
  0;

const uuid = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;

/** One random UUID in ten thousand begins with digits that pass for one. */
const hasCardNumber = (line: string): boolean =>
  (line.replace(uuid, "").match(/\b(?:\d[ -]?){13,19}\b/g) ?? []).some((number) =>
    passesLuhn(number.replace(/\D/g, "")),
  );

const forms: [kind: string, RegExp][] = [
  ["an API key", new RegExp(secretPattern)],
  ["an e-mail address", /[\w.+-]+@[\w-]+\.[a-z]{2,}/i],
  ["a signing secret", /whsec_[\w+/=]{10,}/],
  ["a client secret", /_secret_\w{10,}/],
  ["a bearer token", /bearer\s+[\w.-]{16,}/i],
  // Lucia's form of a session's token; a commit's hash is as long.
  ["a session token", /\b(?![0-9a-f]{40}\b)[a-z2-7]{40}\b/],
  // 32 random bytes, as in the links of mails.
  ["a link's token", /(?<![\w/+-])[\w-]{43}(?![\w/+=-])/],
  ["a password", /(?:battery|staple) (?:staple|battery|horse)|pass phrase of|demo-(?:harbour|bridge)-2026/],
];

/** @returns the kinds of secrets in the line */
export const secretsIn = (line: string): string[] => [
  ...forms.filter(([, form]) => form.test(line)).map(([kind]) => kind),
  ...(hasCardNumber(line) ? ["a card number"] : []),
];
