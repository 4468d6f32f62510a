import { batch } from "../../platform/batch.server.ts";
import { perDatabase } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import * as queries from "./queries.server.ts";
import type { UsageRecord } from "./usage-record.ts";

type World = Pick<Context, "db">;

/**
 * Writes a request into the log and the totals. Resolves once that is committed: what was answered is never missing
 * from the log. Requests that finish while a group is being written go together in the next.
 */
export const recordUsage = (ctx: World, record: UsageRecord): Promise<void> => writerOf(ctx.db)(record);

const writerOf = perDatabase((db) =>
  batch(async (records: UsageRecord[]) => {
    await db.transaction(async (tx) => {
      await queries.insertLogs(tx, records);
      await queries.addToHours(tx, records);
      await queries.addToDays(tx, records);
    });
    return records.map(() => undefined);
  }),
);
