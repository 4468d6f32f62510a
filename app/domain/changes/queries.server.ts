import { and, asc, desc, eq, gte, type SQL, sql } from "drizzle-orm";
import { changeStreams, routeChangeRetention, routeChanges, routes } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { OpenedRoute } from "../subscriptions/opened-routes.server.ts";
import type { Change, ChangeType } from "./change.ts";

const columns = {
  id: routeChanges.id,
  type: routeChanges.type,
  source: routeChanges.source,
  occurredAt: routeChanges.occurredAt,
  route: { id: routes.id, code: routes.code, name: routes.name },
  periodId: routeChanges.periodId,
  reportType: routeChanges.reportType,
  serviceLevel: routeChanges.serviceLevel,
  equipmentType: routeChanges.equipmentType,
  surchargeCode: routeChanges.surchargeCode,
  count: routeChanges.count,
  observedFrom: routeChanges.observedFrom,
  observedTo: routeChanges.observedTo,
  fields: routeChanges.fields,
  before: routeChanges.before,
  after: routeChanges.after,
};

/** Which changes an account may read: those of the routes, and of their reports those of opened periods. */
export type Readable = { opened: readonly OpenedRoute[]; type?: ChangeType | undefined };

/** The id of the last change, and up to which id changes have been deleted. */
export const bounds = async (db: Tx): Promise<{ last: number; deletedThrough: number }> => {
  const [row] = await db
    .select({
      last: sql`greatest(${routeChangeRetention.deletedThrough},
        (select ${routeChanges.id} from ${routeChanges} order by ${routeChanges.id} desc limit 1))`.mapWith(Number),
      deletedThrough: routeChangeRetention.deletedThrough,
    })
    .from(routeChangeRetention);
  if (!row) throw new Error("route_change_retention has no row");
  return row;
};

/** The first change at this time or later. Null: there is none. */
export const firstSince = async (db: Tx, at: Date): Promise<number | null> => {
  const [row] = await db
    .select({ id: routeChanges.id })
    .from(routeChanges)
    .where(gte(routeChanges.occurredAt, at))
    .orderBy(asc(routeChanges.occurredAt), asc(routeChanges.id))
    .limit(1);
  return row?.id ?? null;
};

/** In order, after one id and up to another. */
export const changesBetween = (
  db: Tx,
  readable: Readable,
  { after, through, limit }: { after: number; through: number; limit: number },
): Promise<Change[]> =>
  selectChanges(db, readable, sql`change.id > ${after} and change.id <= ${through}`, sql`asc`, { limit }).orderBy(
    asc(routeChanges.id),
  );

/** Newest first. */
export const newestChanges = (db: Tx, readable: Readable, limit: number): Promise<Change[]> =>
  selectChanges(db, readable, sql`true`, sql`desc`, { limit }).orderBy(desc(routeChanges.id));

/** Only the newest change of each route, newest first. */
export const newestByRoute = (db: Tx, readable: Readable, limit: number): Promise<Change[]> =>
  selectChanges(db, readable, sql`true`, sql`desc`, { limit, perRoute: 1 }).orderBy(desc(routeChanges.id));

/** Reads the few that each route has within the limit, so that the others' changes cost nothing. */
const selectChanges = (
  db: Tx,
  { opened, type }: Readable,
  range: SQL,
  direction: SQL,
  { limit, perRoute = limit }: { limit: number; perRoute?: number },
) =>
  db
    .select(columns)
    .from(routeChanges)
    .innerJoin(routes, eq(routes.id, routeChanges.routeId))
    .where(
      sql`${routeChanges.id} in (
        select found.id
        from jsonb_to_recordset(${JSON.stringify(opened)}::jsonb) as opened("routeId" integer, "periodIds" integer[])
        cross join lateral (
          select change.id from route_changes change
          where change.route_id = opened."routeId" and ${range}
            and (change.report_type is null or change.period_id = any(opened."periodIds"))
            ${type === undefined ? sql`` : sql`and change.type = ${type}`}
          order by change.id ${direction} limit ${perRoute}
        ) found
        order by found.id ${direction} limit ${limit})`,
    );

/**
 * Deletes the oldest changes, in order, up to the first one of `before` or later, and notes how far.
 *
 * @param limit how many at most
 * @returns how many
 */
export const deleteOldest = async (db: Tx, before: Date, limit: number): Promise<number> => {
  const [row] = await db.execute<{ deleted: number }>(sql`
    with oldest as (
      select id, occurred_at from route_changes order by id limit ${limit}
    ), kept as (
      select min(id) as first_id from oldest where occurred_at >= ${before.toISOString()}::timestamptz
    ), deleted as (
      delete from route_changes using oldest, kept
      where route_changes.id = oldest.id and (kept.first_id is null or oldest.id < kept.first_id)
      returning route_changes.id
    ), noted as (
      update route_change_retention set deleted_through = last.id
      from (select max(id) as id from deleted) last where last.id > deleted_through
    )
    select count(*)::integer as deleted from deleted`);
  return row?.deleted ?? 0;
};

type LeaseKey = { accountId: number; slot: number; leaseId: string };

/** Takes the first free slot of an account. @returns null if there is none, or another connection was faster */
export const takeSlot = async (
  db: Tx,
  { accountId, slots, leaseId, now, expiresAt }: Omit<LeaseKey, "slot"> & { slots: number; now: Date; expiresAt: Date },
): Promise<number | null> => {
  const [row] = await db.execute<{ slot: number }>(sql`
    insert into change_streams as held (account_id, slot, lease_id, expires_at)
    select ${accountId}, slot, ${leaseId}::uuid, ${expiresAt.toISOString()}::timestamptz
    from generate_series(1, ${slots}::integer) slot
    where not exists (select from change_streams other where other.account_id = ${accountId} and other.slot = slot.slot
      and other.expires_at > ${now.toISOString()}::timestamptz)
    order by slot limit 1
    on conflict (account_id, slot) do update set lease_id = excluded.lease_id, expires_at = excluded.expires_at
      where held.expires_at <= ${now.toISOString()}::timestamptz
    returning slot`);
  return row?.slot ?? null;
};

export const heldSlots = (db: Tx, accountId: number, now: Date): Promise<number> =>
  db.$count(
    changeStreams,
    and(eq(changeStreams.accountId, accountId), sql`${changeStreams.expiresAt} > ${now.toISOString()}::timestamptz`),
  );

/** @returns whether the slot was still held */
export const renewSlot = async (db: Tx, { accountId, slot, leaseId }: LeaseKey, expiresAt: Date): Promise<boolean> => {
  const renewed = await db
    .update(changeStreams)
    .set({ expiresAt })
    .where(isHeld({ accountId, slot, leaseId }))
    .returning({ slot: changeStreams.slot });
  return renewed.length > 0;
};

export const releaseSlot = async (db: Tx, key: LeaseKey): Promise<void> => {
  await db.delete(changeStreams).where(isHeld(key));
};

const isHeld = ({ accountId, slot, leaseId }: LeaseKey) =>
  and(eq(changeStreams.accountId, accountId), eq(changeStreams.slot, slot), eq(changeStreams.leaseId, leaseId));
