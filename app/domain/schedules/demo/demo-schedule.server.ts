import { setImmediate as pause } from "node:timers/promises";
import type { Tx } from "../../../platform/db.server.ts";
import { lockCatalogue } from "../../catalogue/import.server.ts";
import { markRoutesChanged } from "../../catalogue/route-version.server.ts";
import type { Context } from "../../context.ts";
import { addDays, type Day, dayOf, startOf } from "../../dates.ts";
import * as queries from "./demo-queries.server.ts";
import { type DemoPortCall, demoSailings } from "./sailings.ts";
import { transhipmentHubs, transhipmentOn } from "./transhipment.ts";

/** How far ahead the demo's schedule reaches at least. */
const aheadDays = 90;

/** How often the next sailings are published. A week at a time keeps long moves of the test clock short. */
const batchDays = 7;

/** Routes of one statement. */
const routesPerStatement = 200;

/** In test mode, keeps the schedule of the demo's routes complete. @returns how many routes have new sailings */
export const feedDemoSchedule = async (ctx: Pick<Context, "db" | "clock" | "settings">): Promise<number> =>
  ctx.settings.testMode ? publishDemoSchedule(ctx, "feed") : 0;

/**
 * Once a week the demo's carriers publish their sailings until 90 days ahead, and for the week to come. Days that have
 * passed meanwhile stay without sailings, so that a run after a long move of the clock does not write more than others.
 *
 * @param source `seed` for the first schedule, which is not a change to anybody
 * @returns how many routes have new sailings
 */
export const publishDemoSchedule = async (
  ctx: Pick<Context, "db" | "clock">,
  source: "feed" | "seed" = "seed",
): Promise<number> => {
  const now = ctx.clock.now();
  const today = dayOf(now);
  if (await queries.demoPublishedSince(ctx.db, startOf(addDays(today, 1 - batchDays)))) return 0;
  return ctx.db.transaction(async (tx) => {
    await lockCatalogue(tx, { now, source });
    const changed = await publish(tx, today, now);
    await markRoutesChanged(tx, changed, now);
    return changed.length;
  });
};

const publish = async (tx: Tx, today: Day, now: Date): Promise<number[]> => {
  const until = addDays(today, aheadDays + batchDays);
  const hubs = await queries.hubsAmong(tx, transhipmentHubs);
  const routes = await queries.routesToSchedule(tx);
  const changed: number[] = [];
  // PostgreSQL writes the sailings of some routes while those of the next ones are made.
  let inserting: Promise<number[]> = Promise.resolve([]);
  for (let first = 0; first < routes.length; first += routesPerStatement) {
    const sailings = routes.slice(first, first + routesPerStatement).flatMap((route) => {
      const from = route.scheduledUntil && route.scheduledUntil >= today ? addDays(route.scheduledUntil, 1) : today;
      return demoSailings({ ...route, transhipment: transhipmentOf(route, hubs) }, from, until);
    });
    changed.push(...(await inserting));
    inserting = sailings.length > 0 ? queries.insertSailings(tx, sailings, now) : Promise.resolve([]);
    // Whoever waits for it gets the error.
    inserting.catch(() => {});
    // The driver sends when the event loop turns.
    await pause();
  }
  return [...changed, ...(await inserting)];
};

const transhipmentOf = ({ way, origin, destination }: queries.DemoRouteRow, hubs: readonly DemoPortCall[]) =>
  way &&
  transhipmentOn(
    way,
    hubs.filter(({ id }) => id !== origin.id && id !== destination.id),
  );
