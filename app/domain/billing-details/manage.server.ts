import type { Tx } from "../../platform/db.server.ts";
import { recordAudit } from "../accounts/audit.server.ts";
import type { Caller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import type { BillingDetails } from "./buyer.ts";
import * as queries from "./queries.server.ts";

/** Null: the account has none yet. */
export const getBillingDetails = (ctx: Pick<Context, "db">, { account }: Caller): Promise<BillingDetails | null> =>
  queries.findDetails(ctx.db, account.id);

/** Replaces the account's billing details. Invoices that have been issued keep theirs. */
export const saveBillingDetails = (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller,
  details: BillingDetails,
): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now();
    await queries.saveDetails(tx, caller.account.id, details, now);
    await recordAudit(tx, caller, "billing_details.changed", now);
  });

/** An account's details, for its invoices and taxes. */
export const billingDetailsOf = (db: Tx, accountId: number): Promise<BillingDetails | null> =>
  queries.findDetails(db, accountId);

/** Where receipts and statements are mailed instead of to the account's address. Empty: there. */
export const billingAddressOf = async (db: Tx, accountId: number): Promise<{ toAddress?: string }> => {
  const details = await queries.findDetails(db, accountId);
  return details?.email ? { toAddress: details.email } : {};
};

/** Those of several accounts, by account. Accounts without details are missing. */
export const billingDetailsOfAll = async (
  db: Tx,
  accountIds: readonly number[],
): Promise<Map<number, BillingDetails>> =>
  new Map((await queries.findDetailsOf(db, [...accountIds])).map(({ accountId, ...details }) => [accountId, details]));

/** Part of closing an account. Invoices keep their copy, because they are part of the books. */
export const deleteBillingDetails = async (tx: Tx, accountId: number): Promise<void> => {
  await queries.deleteDetails(tx, accountId);
};
