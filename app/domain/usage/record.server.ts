import { batch } from "../../platform/batch.server.ts";
import { perDatabase } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import * as queries from "./queries.server.ts";
import type { UsageRecord } from "./usage-record.ts";

type World = Pick<Context, "db">;

/**
 * Writes a request to the log and the totals, and resolves once that is committed, so that no answered request is missing
 * from the log. Group commit: requests that finish during a write share the next one.
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
