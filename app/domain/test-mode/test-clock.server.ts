import type { Context } from "../context.ts";
import * as queries from "./queries.server.ts";

/** How far the test clock runs ahead of the machine's, in milliseconds. */
export const readTestClock = (ctx: Pick<Context, "db">): Promise<number> => queries.findAheadMs(ctx.db);
