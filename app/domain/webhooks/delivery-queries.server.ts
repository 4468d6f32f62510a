/** Sending: leases of endpoints, due deliveries and their attempts. */
import { and, asc, eq, isNull, lt, lte, sql } from "drizzle-orm";
import { webhookAttempts, webhookDeliveries, webhookEndpoints, webhookMessages } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { DisableReason } from "./outcome.ts";
import { webhookChannel } from "./policy.ts";

export type LeasedEndpoint = {
  id: number;
  accountId: number;
  url: string;
  sealedSecret: Uint8Array;
  previousSealedSecret: Uint8Array | null;
  previousSecretUntil: Date | null;
  leasedUntil: Date;
};

/** Leases an enabled endpoint that has a due delivery to this process, the one that has waited longest. Null: there is none. */
export const leaseEndpoint = async (db: Tx, now: Date, leasedUntil: Date): Promise<LeasedEndpoint | null> => {
  const at = now.toISOString();
  const isDue = sql`exists (
    select from ${webhookDeliveries}
    where ${webhookDeliveries.endpointId} = endpoint.id
      and ${webhookDeliveries.status} = 'pending' and ${webhookDeliveries.dueAt} <= ${at}
  )`;
  const next = sql`(
    select endpoint.id from ${webhookEndpoints} as endpoint
    where endpoint.disabled_at is null
      and (endpoint.leased_until is null or endpoint.leased_until <= ${at})
      and ${isDue}
    order by endpoint.served_at nulls first, endpoint.id
    limit 1
    for update skip locked
  )`;
  const [leased] = await db
    .update(webhookEndpoints)
    .set({ leasedUntil, servedAt: now })
    .where(eq(webhookEndpoints.id, next))
    .returning({
      id: webhookEndpoints.id,
      accountId: webhookEndpoints.accountId,
      url: webhookEndpoints.url,
      sealedSecret: webhookEndpoints.sealedSecret,
      previousSealedSecret: webhookEndpoints.previousSealedSecret,
      previousSecretUntil: webhookEndpoints.previousSecretUntil,
    });
  return leased ? { ...leased, leasedUntil } : null;
};

/** Ends a lease, unless it has expired and another process holds one. */
export const releaseEndpoint = (db: Tx, { id, leasedUntil }: LeasedEndpoint) =>
  db
    .update(webhookEndpoints)
    .set({ leasedUntil: null })
    .where(and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.leasedUntil, leasedUntil)));

export type DueDelivery = { id: number; publicId: string; payload: string };

/** The endpoint's next due delivery. Null if there is none, or the endpoint was disabled. */
export const findDue = async (db: Tx, endpointId: number, now: Date): Promise<DueDelivery | null> => {
  const [due] = await db
    .select({ id: webhookDeliveries.id, publicId: webhookMessages.publicId, payload: webhookMessages.payload })
    .from(webhookDeliveries)
    .innerJoin(webhookMessages, eq(webhookMessages.id, webhookDeliveries.messageId))
    .where(
      and(
        eq(webhookDeliveries.endpointId, endpointId),
        eq(webhookDeliveries.status, "pending"),
        lte(webhookDeliveries.dueAt, now),
      ),
    )
    .orderBy(asc(webhookDeliveries.dueAt), asc(webhookDeliveries.id))
    .limit(1);
  return due ?? null;
};

/**
 * Locks an endpoint and one of its deliveries. Null if the endpoint was deleted meanwhile.
 *
 * The endpoint comes first, as when it is disabled or deleted: the other order deadlocks with them.
 */
export const lockDelivery = async (tx: Tx, endpointId: number, id: number) => {
  const [endpoint] = await tx
    .select({ failingSince: webhookEndpoints.failingSince })
    .from(webhookEndpoints)
    .where(eq(webhookEndpoints.id, endpointId))
    .for("no key update");
  const [delivery] = await tx
    .select({ tries: webhookDeliveries.tries, status: webhookDeliveries.status })
    .from(webhookDeliveries)
    .where(eq(webhookDeliveries.id, id))
    .for("update");
  return endpoint && delivery ? { ...endpoint, ...delivery } : null;
};

export const insertAttempt = (tx: Tx, row: typeof webhookAttempts.$inferInsert) =>
  tx.insert(webhookAttempts).values(row);

export const updateDelivery = (tx: Tx, id: number, set: Partial<typeof webhookDeliveries.$inferInsert>) =>
  tx.update(webhookDeliveries).set(set).where(eq(webhookDeliveries.id, id));

export const setFailingSince = (tx: Tx, endpointId: number, failingSince: Date | null) =>
  tx.update(webhookEndpoints).set({ failingSince }).where(eq(webhookEndpoints.id, endpointId));

/** Disables an endpoint and gives up its pending deliveries. @returns false if it is gone or disabled already */
export const disableEndpoint = async (tx: Tx, id: number, because: DisableReason, now: Date): Promise<boolean> => {
  const disabled = await tx
    .update(webhookEndpoints)
    .set({ disabledAt: now, disabledBecause: because })
    .where(and(eq(webhookEndpoints.id, id), isNull(webhookEndpoints.disabledAt)))
    .returning({ id: webhookEndpoints.id });
  if (disabled.length === 0) return false;
  await tx
    .update(webhookDeliveries)
    .set({ status: "failed" })
    .where(and(eq(webhookDeliveries.endpointId, id), eq(webhookDeliveries.status, "pending")));
  return true;
};

/** Tells every process, at commit, that deliveries are due. */
export const announceDue = (tx: Tx) => tx.execute(sql`select pg_notify(${webhookChannel}, '')`);

/** Deletes messages with their deliveries and attempts, in batches. @returns how many of this batch */
export const deleteMessagesBefore = async (db: Tx, before: Date, limit: number): Promise<number> => {
  const oldest = db
    .select({ id: webhookMessages.id })
    .from(webhookMessages)
    .where(lt(webhookMessages.createdAt, before))
    .limit(limit);
  const deleted = await db
    .delete(webhookMessages)
    .where(sql`${webhookMessages.id} in ${oldest}`)
    .returning({ id: webhookMessages.id });
  return deleted.length;
};
