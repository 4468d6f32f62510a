/** Searches of the catalogue that an account saves under a name. Those of other accounts are not found. */
import type { Tx } from "../../platform/db.server.ts";
import type { Caller } from "../accounts/caller.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import type { Context } from "../context.ts";
import { conflict, invalid, notFound } from "../errors.ts";
import { longestSearchQuery, maxSavedSearches } from "./policy.ts";
import * as queries from "./queries.server.ts";
import type { SavedSearch } from "./saved-search.ts";

/** Newest first. */
export const listSavedSearches = (ctx: Pick<Context, "db">, { account }: Caller): Promise<SavedSearch[]> =>
  queries.listOf(ctx.db, account.id);

/**
 * @param query see `searchQuery`
 * @throws invalid for a search without filters or with too many, and for a name that is taken
 * @throws conflict if the search is saved already, and at the maximum of saved searches
 */
export const saveSearch = async (
  ctx: Pick<Context, "db" | "clock">,
  { account }: Caller,
  { name, query }: { name: string; query: string },
): Promise<void> => {
  if (query === "") throw invalid("query", "Choose a port or a filter, or enter a word to search for");
  if (query.length > longestSearchQuery) throw invalid("query", "This search has too many filters to save");
  await ctx.db.transaction(async (tx) => {
    await lockAccount(tx, account.id);
    const saved = await queries.listOf(tx, account.id);
    const same = saved.find((search) => search.query === query);
    if (same) throw conflict(`You have already saved this search as “${same.name}”`);
    if (saved.length >= maxSavedSearches) throw tooMany();
    await refuseTakenName(tx, account.id, name, 0);
    await queries.insert(tx, { accountId: account.id, name, query, createdAt: ctx.clock.now() });
  });
};

const tooMany = () =>
  conflict(`You have ${maxSavedSearches} saved searches, which is the maximum. Delete one to save another`);

const refuseTakenName = async (tx: Tx, accountId: number, name: string, exceptId: number): Promise<void> => {
  if (await queries.isNameTaken(tx, accountId, name, exceptId))
    throw invalid("name", `You already have a search named “${name}”. Enter another name`);
};

/** @throws not_found @throws invalid for a name that is taken */
export const renameSearch = async (
  ctx: Pick<Context, "db">,
  { account }: Caller,
  { id, name }: { id: number; name: string },
): Promise<void> => {
  await ctx.db.transaction(async (tx) => {
    await lockAccount(tx, account.id);
    await refuseTakenName(tx, account.id, name, id);
    if (!(await queries.updateName(tx, account.id, id, name))) throw notFound("Saved search");
  });
};

/** @throws not_found */
export const deleteSavedSearch = async (
  ctx: Pick<Context, "db">,
  { account }: Caller,
  { id }: { id: number },
): Promise<void> => {
  if (!(await queries.deleteOne(ctx.db, account.id, id))) throw notFound("Saved search");
};

/** For an account that is being closed. */
export const deleteSavedSearches = (tx: Tx, accountId: number): Promise<void> => queries.deleteAll(tx, accountId);
