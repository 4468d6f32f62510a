/** The demo's account: what to log in with, and the key of the ready `curl` line. */
import type { Clock } from "../../app/domain/clock.ts";
import type { Db } from "../../app/platform/db.server.ts";

export type SeededDemo = { demoApiKey: string | null; demoRouteId: number | null };

export const seedDemoAccount = async (_ctx: { db: Db; clock: Clock }): Promise<SeededDemo> => ({
  demoApiKey: null,
  demoRouteId: null,
});
