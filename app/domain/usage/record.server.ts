import { batch } from "../../platform/batch.server.ts";
import type { Context } from "../context.ts";
import * as queries from "./queries.server.ts";
import type { UsageRecord } from "./usage-record.ts";

type World = Pick<Context, "db">;

/**
 * Writes a request into the log and the totals. Resolves once that is committed: what was answered is never missing
 * from the log. Requests that finish while a group is being written go together in the next.
 */
export const recordUsage = (ctx: World, record: UsageRecord): Promise<void> => writerOf(ctx)(record);

const writers = new WeakMap<Context["db"], (record: UsageRecord) => Promise<void>>();

const writerOf = ({ db }: World) => {
  const existing = writers.get(db);
  if (existing) return existing;
  const write = batch(async (records: UsageRecord[]) => {
    await db.transaction(async (tx) => {
      await queries.insertLogs(tx, records);
      await queries.addToHours(tx, records);
      await queries.addToDays(tx, records);
    });
    return records.map(() => undefined);
  });
  writers.set(db, write);
  return write;
};
