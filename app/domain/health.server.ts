import { sql } from "drizzle-orm";
import type { Context } from "./context.ts";
import { isoInstant } from "./dates.ts";

export type Health = {
  status: "ok" | "database_away";
  now: string;
  test_mode: boolean;
  /** Requests of this process that went uncounted because the limiter's store was away. */
  rate_limit_failures: number;
};

export const checkHealth = async (
  ctx: Pick<Context, "db" | "clock" | "settings">,
  rateLimitFailures: number,
): Promise<Health> => {
  const status = await ctx.db.execute(sql`select 1`).then(
    () => "ok" as const,
    () => "database_away" as const,
  );
  return {
    status,
    now: isoInstant(ctx.clock.now()),
    test_mode: ctx.settings.testMode,
    rate_limit_failures: rateLimitFailures,
  };
};
