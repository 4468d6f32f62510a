/**
 * Whether browsers may store an answer, by who reads it.
 *
 * Pages for everybody may be shown again on going back. A page that an account reads is not stored, since it names the account:
 * nobody finds it with "Back" after signing out. The data of pages for everybody is stored as long as browsers keep what they
 * fetch in advance, because links would otherwise fetch it twice. The data of an account's own pages is not.
 */
type PerRequest = object;

/** By the context of Remix, of which each request has its own. */
const readByAccount = new WeakSet<PerRequest>();
const ownedByAccount = new WeakSet<PerRequest>();

export const noteAccount = (context: PerRequest): void => {
  readByAccount.add(context);
};

/** For pages that are the account's own: it has to sign in for them, came by a mailed link, or sees something else than a visitor. */
export const noteOwnPage = (context: PerRequest): void => {
  ownedByAccount.add(context);
};

/** @param kind the whole document, or the data that a page's script fetches */
export const cacheControlOf = (context: PerRequest, kind: "document" | "data"): string => {
  const isPrivate = ownedByAccount.has(context) || (kind === "document" && readByAccount.has(context));
  return isPrivate ? "private, no-store" : "private, no-cache";
};
