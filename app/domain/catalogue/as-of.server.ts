/** Reads the catalogue as it was known at an earlier time. See docs/decisions/0031. */
import type { Db, Tx } from "../../platform/db.server.ts";
import { type Clock, fixedClock } from "../clock.ts";
import type { Context } from "../context.ts";
import { addDays, type Day, dayOf, isoInstant, startOf } from "../dates.ts";
import { invalid } from "../errors.ts";
import { counted } from "../wording.ts";
import * as queries from "./history-queries.server.ts";
import { historyDays } from "./policy.ts";

/** What reading the catalogue needs: present data with the present time, or former data with its time. */
export type CatalogueReader = { db: Tx; clock: Clock };

/**
 * Runs reads of route data as of an instant: queries on the reader's `db` find what was known then, and its clock stands
 * still at that time. All of them see the same snapshot, and none can write.
 */
export const readAsOf = <Result>(
  db: Db,
  instant: Date,
  work: (reader: CatalogueReader) => Promise<Result>,
): Promise<Result> =>
  db.transaction(
    async (tx) => {
      await queries.showAsOf(tx, instant);
      return work({ db: tx, clock: fixedClock(isoInstant(instant)) });
    },
    { accessMode: "read only", isolationLevel: "repeatable read" },
  );

/** @throws invalid for an instant in the future, or before the kept history */
export const requireKnownTime = ({ clock }: Pick<Context, "clock">, asOf: Date): void => {
  const first = firstKnownDay({ clock });
  if (asOf > clock.now()) throw invalid("as_of", "Must not be in the future");
  if (asOf < startOf(first)) {
    throw invalid("as_of", `We keep earlier values for ${counted(historyDays, "day")}. Must be ${first} or later`);
  }
};

/**
 * Deletes former values that were replaced so long ago that nobody can read them.
 *
 * @returns how many
 */
export const deleteOldHistory = ({ db, clock }: Pick<Context, "db" | "clock">): Promise<number> =>
  queries.deleteKnownUntil(db, startOf(firstKnownDay({ clock })));

/** The first day as of which route data can be read. */
export const firstKnownDay = ({ clock }: Pick<Context, "clock">): Day => addDays(dayOf(clock.now()), -historyDays);
