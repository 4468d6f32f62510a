import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { lockCatalogue } from "./import-queries.server.ts";
import * as queries from "./period-queries.server.ts";
import { recordPrices } from "./price-history.server.ts";
import { quarterOf } from "./quarter.ts";
import { nameAfterEnd, type Opening, openingsUntil } from "./succession.ts";

const batchSize = 500;

/**
 * Ends the open periods of quarterly routes whose quarter is over, and opens the next ones: one for each quarter that
 * has begun since. Subscriptions follow with `moveToSuccessors`. Batches are separate transactions, and each locks the
 * catalogue, so concurrent runs and imports wait for one another.
 *
 * @returns how many periods were opened
 * @spec What the service does (hierarchy)
 */
export const turnPeriods = async (ctx: Pick<Context, "db" | "clock">, signal?: AbortSignal): Promise<number> => {
  let opened = 0;
  for (let full = true; full && !signal?.aborted; ) {
    const now = ctx.clock.now();
    const { startsOn: quarterStart } = quarterOf(dayOf(now));
    if (!(await queries.hasDue(ctx.db, quarterStart))) break;
    const turned = await ctx.db.transaction(async (tx) => {
      await lockCatalogue(tx, { now, source: "calendar" });
      const due = await queries.lockDue(tx, quarterStart, batchSize);
      const successions = due.map((period) => ({
        period,
        openings: openingsUntil(period, dayOf(now), period.nextFreshness),
      }));
      return { due: due.length, opened: await succeed(tx, successions, now) };
    });
    opened += turned.opened;
    full = turned.due === batchSize;
  }
  return opened;
};

/**
 * Ends each period on the day on which its first opening begins, and writes the openings as a chain of successors.
 * Reports from after the end move with them. The caller must hold the catalogue's lock.
 *
 * @returns how many openings there were
 */
export const succeed = async (
  tx: Tx,
  successions: { period: queries.LockedPeriod; openings: Opening[] }[],
  now: Date,
): Promise<number> => {
  const chains = await withFreeCodes(tx, successions);
  await queries.insertPeriods(
    tx,
    chains.flatMap(({ period: { routeId }, openings }) => openings.map((opening) => ({ ...opening, routeId }))),
  );
  const endings = chains.flatMap(({ period, openings }) =>
    openings.map((next, i) => {
      const { startsOn, freshness, ...before } = openings[i - 1] ?? period;
      const successor = { routeId: period.routeId, startsOn: next.startsOn, freshness: next.freshness };
      return {
        period,
        ending: { startsOn, freshness, name: nameAfterEnd({ startsOn, ...before }, next.startsOn), successor },
      };
    }),
  );
  await queries.endPeriods(
    tx,
    endings.map(({ ending }) => ending),
  );
  await queries.moveLaterReports(
    tx,
    endings.map(({ period, ending }) => ({ fromId: period.id, to: ending.successor })),
  );
  await queries.touchRoutes(
    tx,
    chains.map(({ period }) => period.routeId),
    now,
  );
  await recordPrices(tx, now);
  return chains.reduce((sum, { openings }) => sum + openings.length, 0);
};

/**
 * The periods of a route that are offered side by side may arrive at the same code, and a retired period may have it. The
 * later one then gets its freshness as a suffix.
 */
const withFreeCodes = async <Succession extends { period: queries.LockedPeriod; openings: Opening[] }>(
  tx: Tx,
  successions: Succession[],
): Promise<Succession[]> => {
  const codes = successions.flatMap(({ openings }) => openings.map(({ code }) => code));
  const known = await queries.periodsWithCodes(tx, codes);
  const taken = new Map(
    known.map(({ code, routeId, freshness, retiredAt }) => [code, retiredAt ? "retired" : `${routeId} ${freshness}`]),
  );
  return successions.map((succession) => ({
    ...succession,
    openings: succession.openings.map((opening) => {
      const owner = `${succession.period.routeId} ${opening.freshness}`;
      if ((taken.get(opening.code) ?? owner) !== owner)
        return { ...opening, code: `${opening.code}-${opening.freshness}` };
      taken.set(opening.code, owner);
      return opening;
    }),
  }));
};
