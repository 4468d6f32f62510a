import type { Context } from "../context.ts";
import { deleteEndedWindows } from "./queries.server.ts";

/** Deletes the counts of subjects that have sent nothing lately. There are none unless requests are counted in PostgreSQL. */
export const deleteOldCounts = (ctx: Pick<Context, "db" | "clock">): Promise<number> =>
  deleteEndedWindows(ctx.db, ctx.clock.now());
