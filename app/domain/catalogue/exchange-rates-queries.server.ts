import { asc, desc, sql } from "drizzle-orm";
import { exchangeRates } from "#drizzle/schema/index.ts";
import type { Tx } from "../../platform/db.server.ts";
import type { ExchangeRate } from "./exchange-rates.ts";

export const listExchangeRates = (db: Tx): Promise<ExchangeRate[]> =>
  db.select().from(exchangeRates).orderBy(asc(exchangeRates.base), asc(exchangeRates.quote), asc(exchangeRates.asOf));

/** Newest first. */
export const latestExchangeRates = (db: Tx, limit: number): Promise<ExchangeRate[]> =>
  db
    .select()
    .from(exchangeRates)
    .orderBy(desc(exchangeRates.asOf), asc(exchangeRates.base), asc(exchangeRates.quote))
    .limit(limit);

export const upsertExchangeRates = async (db: Tx, rates: ExchangeRate[]): Promise<void> => {
  await db
    .insert(exchangeRates)
    .values(rates)
    .onConflictDoUpdate({
      target: [exchangeRates.base, exchangeRates.quote, exchangeRates.asOf],
      set: { rate: sql`excluded.rate`, source: sql`excluded.source` },
    });
};
