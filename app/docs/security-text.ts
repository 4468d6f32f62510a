import { addDays, type Day } from "../domain/dates.ts";

const validDays = 180;

/**
 * How to report a vulnerability. @see RFC 9116
 *
 * @param email the operator's address. Null: not configured; the guide about found keys is the only contact then
 */
export const securityText = ({ appUrl, email, today }: { appUrl: string; email: string | null; today: Day }): string =>
  [
    ...(email === null ? [] : [`Contact: mailto:${encodeURI(email)}`]),
    `Contact: ${appUrl}/docs/found-keys`,
    `Expires: ${addDays(today, validDays)}T00:00:00Z`,
    "Preferred-Languages: en",
    `Canonical: ${appUrl}/.well-known/security.txt`,
    "",
  ].join("\n");
