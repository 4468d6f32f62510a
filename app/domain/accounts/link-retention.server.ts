import type { Context } from "../context.ts";
import * as queries from "./queries.server.ts";
import { deleteChallengesExpiredBy } from "./two-factor-queries.server.ts";

/** Deletes expired links, sign-in challenges and known devices. @returns how many */
export const deleteExpiredLinks = async (ctx: Pick<Context, "db" | "clock">): Promise<number> => {
  const now = ctx.clock.now();
  const [links, challenges, devices] = await Promise.all([
    queries.deleteLinksExpiredBy(ctx.db, now),
    deleteChallengesExpiredBy(ctx.db, now),
    queries.deleteDevicesExpiredBy(ctx.db, now),
  ]);
  return links + challenges + devices;
};
