import type { Tx } from "../../platform/db.server.ts";
import { paymentDisputes } from "../../platform/metrics/metrics.ts";
import { suspendAccount } from "../accounts/account-changes.server.ts";
import { recordServiceAudit } from "../accounts/audit.server.ts";
import type { Caller, OperatorCaller } from "../accounts/caller.ts";
import { lockAccount } from "../accounts/lock.server.ts";
import { operatorIds } from "../accounts/operators.server.ts";
import type { Context } from "../context.ts";
import { type DisputeOutcome, disputeEnded, disputeForOperators, paymentDisputed } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import * as disputeQueries from "./dispute-queries.server.ts";
import type { disputeStatuses } from "./enums.ts";
import type { ReportedDispute } from "./gateway.ts";
import { cancelOpenOrdersOfSuspended } from "./orders.server.ts";
import * as queries from "./queries.server.ts";

type World = Pick<Context, "db" | "clock" | "payments" | "log" | "settings">;

/**
 * Records the disputes of a charge as the payment provider reports them now. A new one suspends the account until an
 * operator has reviewed it, cancels its open orders, and takes the card out of renewals until the account holder chooses one. A
 * lost one reduces the payment by what the bank took back. The holder and the operators get a mail about the start and the
 * end, each once.
 *
 * @spec Errors (403)
 */
export const recordDisputes = async (ctx: World, chargeId: string): Promise<void> => {
  for (const dispute of await ctx.payments.listDisputes(chargeId)) {
    const { suspended, isNews } = await ctx.db.transaction((tx) => record(tx, ctx, chargeId, dispute));
    if (isNews) paymentDisputes.add({ state: dispute.status });
    if (suspended !== null) await cancelOpenOrdersOfSuspended(ctx, suspended);
  }
};

/**
 * @returns `suspended`: the account if its open orders must be cancelled, also when a former attempt failed to; `isNews`:
 *   whether the dispute or its state was not recorded before
 */
const record = async (
  tx: Tx,
  ctx: World,
  chargeId: string,
  dispute: ReportedDispute,
): Promise<{ suspended: number | null; isNews: boolean }> => {
  const payment = await queries.lockPayment(tx, chargeId);
  const locked = payment && (await lockAccount(tx, payment.accountId));
  if (!locked) return { suspended: null, isNews: false };
  const { id: paymentId, accountId, orderId, currency } = payment;
  const now = ctx.clock.now();
  const { status, reason, amountCents } = dispute;
  const before = await disputeQueries.putDispute(tx, dispute, { accountId, paymentId }, now);
  const isContested = status === "open" || status === "lost";
  const suspended = isContested ? accountId : null;
  if (status === before) return { suspended, isNews: false };
  const { count: contests, lostCents } = await disputeQueries.contest(tx, paymentId);
  await queries.setDisputed(tx, paymentId, {
    disputedAt: contests > 0 ? (payment.disputedAt ?? now) : null,
    chargedBackCents: Math.min(lostCents, payment.amountCents),
  });
  if (before === null && isContested) {
    if (locked.account.standing === "good") await suspendAccount(locked, "dispute", { operator: null, now });
    const { cardBrand: brand, cardLast4: last4 } = payment;
    if (brand !== null && last4 !== null) await disputeQueries.setCardDisputed(tx, accountId, { brand, last4 }, now);
  }
  const details = { order_id: orderId, amount_cents: amountCents, currency, status };
  const action = status === "open" ? "payment.disputed" : "payment.dispute_ended";
  await recordServiceAudit(tx, accountId, action, now, details);
  const isPartial = lostCents + payment.refundedCents < payment.amountCents;
  const outcome = status === "lost" && isPartial ? "partly_lost" : status;
  const facts = { orderId, amountCents, currency, reason };
  await notify(tx, ctx, { ...facts, id: dispute.id, outcome, accountId, username: locked.account.username }, now);
  return { suspended, isNews: true };
};

type Announced = {
  id: string;
  outcome: "open" | DisputeOutcome;
  accountId: number;
  username: string;
  orderId: number;
  amountCents: number;
  currency: string;
  reason: string;
};

const notify = async (tx: Tx, { settings: { appUrl } }: World, dispute: Announced, now: Date): Promise<void> => {
  const { id, outcome, accountId } = dispute;
  const mail = outcome === "open" ? paymentDisputed(appUrl, dispute) : disputeEnded(appUrl, { ...dispute, outcome });
  const dedupeKey = `dispute-${outcome}:${id}`;
  await enqueue(tx, { ...mail, accountId, dedupeKey }, now);
  const forOperators = disputeForOperators(appUrl, dispute);
  for (const operatorId of await operatorIds(tx)) {
    await enqueue(tx, { ...forOperators, accountId: operatorId, dedupeKey: `${dedupeKey}:${operatorId}` }, now);
  }
};

export type DisputeOfAccount = {
  id: number;
  status: (typeof disputeStatuses)[number];
  reason: string;
  amountCents: number;
  currency: string;
  openedAt: Date;
  endedAt: Date | null;
  orderId: number;
  invoiceId: number;
  /** Nothing is left of the payment, so what it bought has ended. */
  isAllReturned: boolean;
};

/** Newest first. */
export const listDisputes = (ctx: Pick<Context, "db">, caller: Caller): Promise<DisputeOfAccount[]> =>
  disputeQueries.listDisputes(ctx.db, caller.account.id);

/** Newest first. */
export const disputesOfAccount = (
  ctx: Pick<Context, "db">,
  _operator: OperatorCaller,
  input: { accountId: number },
): Promise<DisputeOfAccount[]> => disputeQueries.listDisputes(ctx.db, input.accountId);
