/** Everything about one account besides its profile. API keys come without their secrets. */
import type { OperatorCaller } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { addDays, type Day, dayOf } from "../dates.ts";
import { notFound } from "../errors.ts";
import { invoiceNumber } from "../payments/invoices.server.ts";
import * as queries from "./account-file-queries.server.ts";
import { chartDays } from "./policy.ts";

const keysShown = 50;
const invoicesShown = 20;

type Invoice = {
  id: number;
  kind: "invoice" | "credit_note";
  number: string;
  currency: string;
  amountCents: number;
  issuedAt: Date;
  /** The amount that can still be refunded; 0 for credit notes and disputed payments. */
  refundableCents: number;
  isDisputed: boolean;
};

export type AccountFile = {
  keys: Awaited<ReturnType<typeof queries.keysOf>>;
  invoices: Invoice[];
  /** Net of refunds. */
  paidCents: number;
  runningSubscriptions: number;
  /** The last `chartDays`. Days without requests are zeros. */
  usage: { day: Day; requests: number; errors: number; rateLimited: number }[];
};

export const getAccountFile = async (
  ctx: Pick<Context, "db" | "clock">,
  _operator: OperatorCaller,
  input: { id: number },
): Promise<AccountFile> => {
  const today = dayOf(ctx.clock.now());
  const from = addDays(today, 1 - chartDays);
  const [keys, invoices, paidCents, runningSubscriptions, usage] = await Promise.all([
    queries.keysOf(ctx.db, input.id, keysShown),
    queries.invoicesOf(ctx.db, input.id, invoicesShown),
    queries.paidBy(ctx.db, input.id),
    queries.countRunning(ctx.db, input.id, today),
    queries.usageOf(ctx.db, input.id, from),
  ]);
  const used = new Map(usage.map((row) => [row.day, row]));
  return {
    keys,
    invoices: invoices.map(invoiceOf),
    paidCents,
    runningSubscriptions,
    usage: Array.from({ length: chartDays }, (_, index) => addDays(from, index)).map(
      (day) => used.get(day) ?? { day, requests: 0, errors: 0, rateLimited: 0 },
    ),
  };
};

/** One invoice of the account, with its refundable amount. @throws not_found, also for a credit note */
export const getRefundable = async (
  ctx: Pick<Context, "db">,
  _operator: OperatorCaller,
  input: { accountId: number; invoiceId: number },
): Promise<Invoice> => {
  const [row] = await queries.invoicesOf(ctx.db, input.accountId, 1, input.invoiceId);
  const invoice = row && invoiceOf(row);
  if (invoice?.kind !== "invoice") throw notFound("Invoice");
  return invoice;
};

const invoiceOf = (row: Awaited<ReturnType<typeof queries.invoicesOf>>[number]): Invoice => ({
  id: row.id,
  kind: row.kind,
  number: invoiceNumber(row.year, row.number),
  currency: row.currency,
  amountCents: row.amountCents,
  issuedAt: row.issuedAt,
  refundableCents:
    row.kind === "invoice" && row.chargeId !== null && row.disputedAt === null
      ? (row.paidCents ?? 0) - (row.refundedCents ?? 0)
      : 0,
  isDisputed: row.kind === "invoice" && row.disputedAt !== null,
});
