import { and, eq, isNull, sql } from "drizzle-orm";
import { routes } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";

export const listSampleIds = async (db: Tx): Promise<number[]> => {
  const rows = await db
    .select({ id: routes.id })
    .from(routes)
    .where(and(routes.isSample, isNull(routes.retiredAt)));
  return rows.map(({ id }) => id);
};

/** Of containers, which most readers know best, if there is one. */
export const findFirstSample = async (db: Tx): Promise<number | null> => {
  const [row] = await db
    .select({ id: routes.id })
    .from(routes)
    .where(and(routes.isSample, isNull(routes.retiredAt)))
    .orderBy(sql`${routes.cargoType} <> 'container'`, routes.id)
    .limit(1);
  return row?.id ?? null;
};

export const findSample = async (tx: Tx, sameCargoAs: number): Promise<{ id: number; code: string } | null> => {
  const [row] = await tx
    .select({ id: routes.id, code: routes.code })
    .from(routes)
    .where(
      and(routes.isSample, sql`${routes.cargoType} = (select cargo_type from ${routes} r where r.id = ${sameCargoAs})`),
    );
  return row ?? null;
};

export const setSample = (tx: Tx, routeId: number, isSample: boolean) =>
  tx.update(routes).set({ isSample }).where(eq(routes.id, routeId));
