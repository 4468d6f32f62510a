/** Published exchange rates. Reports and surcharges keep the rate that was applied to them, so later rates change none. */
import type { Tx } from "../../platform/db.server.ts";
import type { ExchangeRate } from "./exchange-rates.ts";
import * as queries from "./exchange-rates-queries.server.ts";

export const listExchangeRates = (db: Tx): Promise<ExchangeRate[]> => queries.listExchangeRates(db);

/** Newest first. */
export const latestExchangeRates = (db: Tx, limit: number): Promise<ExchangeRate[]> =>
  queries.latestExchangeRates(db, limit);

/** A rate of the same pair and day is replaced. */
export const recordExchangeRates = (db: Tx, rates: ExchangeRate[]): Promise<void> =>
  queries.upsertExchangeRates(db, rates);
