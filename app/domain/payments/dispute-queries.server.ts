import { and, desc, eq, inArray, sql } from "drizzle-orm";
import { disputes, invoices, paymentMethods, payments } from "#drizzle/schema/index.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import type { ReportedDispute } from "./gateway.ts";

/** @returns the status that was recorded before; null: it was not known. */
export const putDispute = async (
  tx: Tx,
  { id: providerId, ...reported }: ReportedDispute,
  of: { accountId: number; paymentId: number },
  now: Date,
): Promise<ReportedDispute["status"] | null> => {
  const endedAt = reported.status === "open" ? null : now;
  const [known] = await tx.select().from(disputes).where(eq(disputes.providerId, providerId)).for("update");
  if (!known) await tx.insert(disputes).values({ providerId, ...reported, ...of, endedAt });
  else if (known.status !== reported.status) {
    await tx.update(disputes).set({ status: reported.status, endedAt }).where(eq(disputes.id, known.id));
  }
  return known?.status ?? null;
};

/** Takes the card of a disputed payment out of renewals, however often it was saved. */
export const setCardDisputed = async (
  tx: Tx,
  accountId: number,
  card: { brand: string; last4: string },
  now: Date,
): Promise<void> => {
  await tx
    .update(paymentMethods)
    .set({ disputedAt: now, isDefault: false })
    .where(
      and(
        eq(paymentMethods.accountId, accountId),
        eq(paymentMethods.brand, card.brand),
        eq(paymentMethods.last4, card.last4),
      ),
    );
};

/** Newest first. */
export const listDisputes = (db: Tx, accountId: number) => listDisputesIn(db).execute({ accountId });

const listDisputesIn = perDatabase((db) =>
  db
    .select({
      id: disputes.id,
      status: disputes.status,
      reason: disputes.reason,
      amountCents: disputes.amountCents,
      currency: payments.currency,
      openedAt: disputes.openedAt,
      endedAt: disputes.endedAt,
      orderId: payments.orderId,
      invoiceId: invoices.id,
      isAllReturned: sql`${payments.chargedBackCents} > 0
        and ${payments.refundedCents} + ${payments.chargedBackCents} >= ${payments.amountCents}`.mapWith(Boolean),
    })
    .from(disputes)
    .innerJoin(payments, eq(payments.id, disputes.paymentId))
    .innerJoin(invoices, and(eq(invoices.orderId, payments.orderId), eq(invoices.kind, "invoice")))
    .where(eq(disputes.accountId, sql.placeholder("accountId")))
    .orderBy(desc(disputes.id))
    .prepare("disputes_of_account"),
);

/** How many disputes keep the payment from being refunded, and what the lost ones took back. */
export const contest = async (tx: Tx, paymentId: number): Promise<{ count: number; lostCents: number }> => {
  const [row] = await tx
    .select({
      count: sql`count(*)`.mapWith(Number),
      lostCents: sql`coalesce(sum(${disputes.amountCents}) filter (where ${disputes.status} = 'lost'), 0)`.mapWith(
        Number,
      ),
    })
    .from(disputes)
    .where(and(eq(disputes.paymentId, paymentId), inArray(disputes.status, ["open", "lost"])));
  return row ?? { count: 0, lostCents: 0 };
};
