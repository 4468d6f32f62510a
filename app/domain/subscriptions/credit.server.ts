import type { Tx } from "../../platform/db.server.ts";
import type { Day } from "../dates.ts";
import { unusedValueCents } from "../pricing/proration.ts";
import { paidDays } from "./paid-days.ts";
import * as queries from "./paid-term-queries.server.ts";

/** The value of the unused days from `today` on, and the last paid term that it includes. */
export const creditOf = async (
  db: Tx,
  subscriptionId: number,
  today: Day,
): Promise<{ creditCents: number; creditedThroughTermId: number | null }> => {
  const bought = await queries.boughtTerms(db, subscriptionId);
  return {
    creditCents: unusedValueCents(today, paidDays(bought)),
    creditedThroughTermId: bought.at(-1)?.id ?? null,
  };
};
