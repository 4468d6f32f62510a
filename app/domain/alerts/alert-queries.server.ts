import { and, asc, desc, eq, gt, isNull, lt, lte, sql } from "drizzle-orm";
import { accounts, alertSettings, alerts, routes } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Alert, AlertFilter } from "./alert.ts";
import { defaultCadence, type MailCadence } from "./policy.ts";

const selectAlerts = (db: Tx) =>
  db
    .select({
      id: alerts.id,
      watchId: alerts.watchId,
      route: { id: routes.id, code: routes.code, name: routes.name, cargoType: routes.cargoType },
      kind: alerts.kind,
      figures: alerts.figures,
      occurredAt: alerts.occurredAt,
      createdAt: alerts.createdAt,
      readAt: alerts.readAt,
    })
    .from(alerts)
    .innerJoin(routes, eq(routes.id, alerts.routeId));

/** One more than `limit`, newest first, before the alert `before`. */
export const pageOfAlerts = (
  db: Tx,
  accountId: number,
  filter: AlertFilter,
  { before, limit }: { before: number | null; limit: number },
): Promise<Alert[]> =>
  selectAlerts(db)
    .where(
      and(
        eq(alerts.accountId, accountId),
        filter.watchId === undefined ? undefined : eq(alerts.watchId, filter.watchId),
        filter.routeId === undefined ? undefined : eq(alerts.routeId, filter.routeId),
        filter.kind && eq(alerts.kind, filter.kind),
        filter.unread ? isNull(alerts.readAt) : undefined,
        before === null ? undefined : lt(alerts.id, before),
      ),
    )
    .orderBy(desc(alerts.id))
    .limit(limit + 1);

/** @returns how many were unread */
export const markRead = async (tx: Tx, accountId: number, upTo: number, now: Date): Promise<number> =>
  (
    await tx
      .update(alerts)
      .set({ readAt: now })
      .where(and(eq(alerts.accountId, accountId), isNull(alerts.readAt), lte(alerts.id, upTo)))
      .returning({ id: alerts.id })
  ).length;

// ── Mail ────────────────────────────────────────────────────────────────────────────────────────────

/** Open accounts for which alerts wait, the ones after `after`, in order of their ids. */
export const accountsAwaitingMail = async (
  db: Tx,
  { after, limit }: { after: number; limit: number },
): Promise<{ accountId: number; cadence: MailCadence }[]> => {
  const rows = await db
    .selectDistinct({ accountId: alerts.accountId, cadence: alertSettings.mailCadence })
    .from(alerts)
    .innerJoin(accounts, and(eq(accounts.id, alerts.accountId), isNull(accounts.closedAt)))
    .leftJoin(alertSettings, eq(alertSettings.accountId, alerts.accountId))
    .where(and(eq(alerts.awaitsMail, true), gt(alerts.accountId, after)))
    .orderBy(asc(alerts.accountId))
    .limit(limit);
  return rows.map(({ accountId, cadence }) => ({ accountId, cadence: cadence ?? defaultCadence }));
};

/** The account's waiting alerts that were raised before, oldest first, locked until the transaction ends. */
export const lockAwaitingMail = (tx: Tx, accountId: number, before: Date): Promise<Alert[]> =>
  selectAlerts(tx)
    .where(and(eq(alerts.accountId, accountId), eq(alerts.awaitsMail, true), lt(alerts.createdAt, before)))
    .orderBy(asc(alerts.id))
    .for("update", { of: alerts });

export const markMailed = async (tx: Tx, ids: number[]): Promise<void> => {
  await tx
    .update(alerts)
    .set({ awaitsMail: false })
    .where(sql`${alerts.id} = any(${sql.param(ids)}::bigint[])`);
};

/** Alerts of an account that wants no mail wait for none. */
export const stopAwaitingMail = (tx: Tx, accountId: number) =>
  tx
    .update(alerts)
    .set({ awaitsMail: false })
    .where(and(eq(alerts.accountId, accountId), eq(alerts.awaitsMail, true)));

export const findHolder = async (db: Tx, accountId: number) => {
  const [row] = await db
    .select({ id: accounts.id, standing: accounts.standing })
    .from(accounts)
    .where(and(eq(accounts.id, accountId), isNull(accounts.closedAt)));
  return row ?? null;
};
