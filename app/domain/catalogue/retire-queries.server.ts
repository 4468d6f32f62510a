import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../platform/db.server.ts";
import type { RecordKind } from "./record-kinds.ts";

const tableOf = {
  region: sql`regions`,
  port: sql`ports`,
  carrier: sql`carriers`,
  trade_lane: sql`trade_lanes`,
  route_group: sql`route_groups`,
  route: sql`routes`,
  period: sql`periods`,
} as const satisfies Record<RecordKind, SQL>;

/** What each kind belongs to, from the top of the hierarchy down. */
const parentsOf: readonly { kind: RecordKind; parents: readonly { column: SQL; kind: RecordKind }[] }[] = [
  { kind: "port", parents: [{ column: sql`region_id`, kind: "region" }] },
  {
    kind: "trade_lane",
    parents: [
      { column: sql`region_id`, kind: "region" },
      { column: sql`origin_region_id`, kind: "region" },
      { column: sql`destination_region_id`, kind: "region" },
    ],
  },
  { kind: "route_group", parents: [{ column: sql`trade_lane_id`, kind: "trade_lane" }] },
  {
    kind: "route",
    parents: [
      { column: sql`route_group_id`, kind: "route_group" },
      { column: sql`carrier_id`, kind: "carrier" },
      { column: sql`origin_port_id`, kind: "port" },
      { column: sql`destination_port_id`, kind: "port" },
    ],
  },
  { kind: "period", parents: [{ column: sql`route_id`, kind: "route" }] },
];

const ofAnyParent = (parents: readonly { column: SQL; kind: RecordKind }[], condition: SQL) =>
  sql.join(
    parents.map(({ column, kind }) => sql`${column} in (select id from ${tableOf[kind]} where ${condition})`),
    sql` or `,
  );

export type RetiredCounts = Partial<Record<RecordKind, number>>;

/** @returns how many records below it were retired with it, by kind */
export const retire = async (tx: Tx, kind: RecordKind, id: number, now: Date): Promise<RetiredCounts> => {
  const stamp = sql`${now.toISOString()}::timestamptz`;
  await tx.execute(sql`update ${tableOf[kind]} set retired_at = ${stamp} where id = ${id}`);
  const counts: RetiredCounts = {};
  for (const { kind: child, parents } of parentsOf) {
    const rows = await tx.execute(sql`update ${tableOf[child]} set retired_at = ${stamp}
      where retired_at is null and (${ofAnyParent(parents, sql`retired_at = ${stamp}`)}) returning id`);
    if (rows.length > 0) counts[child] = rows.length;
  }
  await touchRoutes(tx, sql`retired_at = ${stamp}`, now);
  return counts;
};

/**
 * Restores a record and what was retired with it. What belongs to another retired record as well passes to that one, and is
 * restored with it.
 *
 * @returns how many records below it were restored, by kind
 */
export const restore = async (
  tx: Tx,
  kind: RecordKind,
  { id, retiredAt }: { id: number; retiredAt: Date },
  now: Date,
): Promise<RetiredCounts> => {
  const stamp = sql`${retiredAt.toISOString()}::timestamptz`;
  await touchRoutes(tx, sql`retired_at = ${stamp}`, now);
  await tx.execute(sql`update ${tableOf[kind]} set retired_at = null where id = ${id}`);
  const counts: RetiredCounts = {};
  for (const { kind: child, parents } of parentsOf) {
    const ofParents = parents.map(
      ({ column, kind: parent }) =>
        sql`(select retired_at from ${tableOf[parent]} where id = ${tableOf[child]}.${column})`,
    );
    const rows = await tx.execute<{ retired_at: string | null }>(sql`update ${tableOf[child]}
      set retired_at = greatest(${sql.join(ofParents, sql`, `)}) where retired_at = ${stamp} returning retired_at`);
    const restored = rows.filter(({ retired_at }) => retired_at === null).length;
    if (restored > 0) counts[child] = restored;
  }
  return counts;
};

/** @returns whether it belongs to a retired record, and so cannot be restored alone */
export const hasRetiredParent = async (tx: Tx, kind: RecordKind, id: number): Promise<boolean> => {
  const parents = parentsOf.find((entry) => entry.kind === kind)?.parents;
  if (!parents) return false;
  const [row] = await tx.execute(
    sql`select from ${tableOf[kind]} where id = ${id} and (${ofAnyParent(parents, sql`retired_at is not null`)})`,
  );
  return row !== undefined;
};

/** Route documents are cached by version. */
const touchRoutes = (tx: Tx, condition: SQL, now: Date) =>
  tx.execute(sql`update routes set version = version + 1, updated_at = ${now.toISOString()}::timestamptz
    where ${condition} or id in (select route_id from periods where ${condition})`);
