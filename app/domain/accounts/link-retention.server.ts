import type { Context } from "../context.ts";
import { millisecondsPerDay } from "../dates.ts";
import { deleteChallengesSpentBefore } from "./passkey-queries.server.ts";
import { wrongCodesKeptDays } from "./policy.ts";
import * as queries from "./queries.server.ts";
import { deleteChallengesExpiredBy, deleteWrongCodesBefore } from "./two-factor-queries.server.ts";

/** Deletes expired links, sign-in challenges and known devices. @returns how many */
export const deleteExpiredLinks = async (ctx: Pick<Context, "db" | "clock">): Promise<number> => {
  const now = ctx.clock.now();
  const [links, challenges, answered, devices] = await Promise.all([
    queries.deleteLinksExpiredBy(ctx.db, now),
    deleteChallengesExpiredBy(ctx.db, now),
    deleteChallengesSpentBefore(ctx.db, now),
    queries.deleteDevicesExpiredBy(ctx.db, now),
  ]);
  await deleteWrongCodesBefore(ctx.db, new Date(now.getTime() - wrongCodesKeptDays * millisecondsPerDay));
  return links + challenges + answered + devices;
};
