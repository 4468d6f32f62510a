/** Whether the demo is there: asked at every start, so without the code that makes it. */
import { readFileSync } from "node:fs";
import { authenticateKey } from "#app/domain/api-keys/authenticate.server.ts";
import { findRouteId } from "#app/domain/catalogue/browse.server.ts";
import { catalogueIsImported } from "#app/domain/catalogue/import.server.ts";
import { systemClock } from "#app/domain/clock.ts";
import { dayOf } from "#app/domain/dates.ts";
import { commandWaitMs, openDatabase } from "#app/platform/db.server.ts";
import { demoCalendarOf, newestObservation } from "./demo/calendar.ts";
import { demo, demoApiKey, featuredRouteCode, type SeededDemo } from "./demo-identity.ts";

/** @returns null if the seed has something to do, or the account holder has deleted the demo's key */
export const findSeededDemo = async (databaseUrl: string): Promise<SeededDemo | null> => {
  const { db, close } = openDatabase(databaseUrl, { connections: 1, requestWaitMs: commandWaitMs });
  const ctx = { db, clock: systemClock };
  try {
    const newestReportAt = newestObservation(demoCalendarOf(dayOf(ctx.clock.now())));
    if (!(await catalogueIsImported(ctx, { routeCodes: demoRouteCodes(), newestReportAt }))) return null;
    if (!(await authenticateKey(ctx, demoApiKey, demo.username, "127.0.0.1", null))) return null;
    const demoRouteId = await findRouteId(ctx, featuredRouteCode);
    return demoRouteId === null ? null : { demoApiKey, demoUsername: demo.username, demoRouteId };
  } finally {
    await close();
  }
};

const demoRouteCodes = (): string[] => {
  const routes = readFileSync(new URL("data/routes.jsonl", import.meta.url), "utf8")
    .trimEnd()
    .split("\n");
  return routes.map((line) => (JSON.parse(line) as { code: string }).code);
};
