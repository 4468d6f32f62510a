import type { Caller } from "../domain/accounts/caller.ts";
import type { Context } from "../domain/context.ts";
import { type Notices, noticesOf } from "../domain/notices/notices.server.ts";

/** What to tell the account holder. The loaders of a page share the caller of their visit, and so one reading. */
export const noticesOfPage = (ctx: Context, caller: Caller): Promise<Notices> => {
  const notices = read.get(caller) ?? noticesOf(ctx, caller);
  read.set(caller, notices);
  return notices;
};

const read = new WeakMap<Caller, Promise<Notices>>();
