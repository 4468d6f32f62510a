import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { groupBy } from "../group-by.ts";
import { type LogPartition, partitionsFrom } from "./log-partition.ts";
import * as queries from "./log-partition-queries.server.ts";

/**
 * Creates the partitions of the request log for today and the coming weeks and months. Until one exists, its records are
 * in the default partition, so that no request depends on this.
 *
 * @returns how many were created
 */
export const createLogPartitions = async (ctx: Pick<Context, "db" | "clock">): Promise<number> => {
  const byParent = groupBy(partitionsFrom(dayOf(ctx.clock.now())), ({ parent }) => parent);
  const missing: LogPartition[] = [];
  for (const [parent, wanted] of byParent) {
    const existing = new Set((await queries.partitionsOf(ctx.db, parent)).map(({ name }) => name));
    missing.push(...wanted.filter(({ name }) => !existing.has(name)));
  }
  let created = 0;
  for (const partition of missing) if (await queries.createPartition(ctx.db, partition)) created += 1;
  return created;
};
