import { desc, eq, inArray, sql } from "drizzle-orm";
import { routeGroups, routes, tradeLanePrices } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";

export const upsertLanePrice = (
  tx: Tx,
  tradeLaneId: number,
  { validFrom, basePriceCents }: { validFrom: Day; basePriceCents: number },
) =>
  tx
    .insert(tradeLanePrices)
    .values({ tradeLaneId, validFrom, basePriceCents })
    .onConflictDoUpdate({
      target: [tradeLanePrices.tradeLaneId, tradeLanePrices.validFrom],
      set: { basePriceCents },
    });

/** Route documents show prices and are cached by version. */
export const touchRoutesOfLane = (tx: Tx, tradeLaneId: number, now: Date) =>
  tx
    .update(routes)
    .set({ version: sql`${routes.version} + 1`, updatedAt: now })
    .where(
      inArray(
        routes.routeGroupId,
        tx.select({ id: routeGroups.id }).from(routeGroups).where(eq(routeGroups.tradeLaneId, tradeLaneId)),
      ),
    );

/** The latest first. */
export const findLanePrices = (db: Tx, tradeLaneId: number) =>
  db
    .select({ validFrom: tradeLanePrices.validFrom, basePriceCents: tradeLanePrices.basePriceCents })
    .from(tradeLanePrices)
    .where(eq(tradeLanePrices.tradeLaneId, tradeLaneId))
    .orderBy(desc(tradeLanePrices.validFrom));
