/**
 * `npm run billing:check`: reconciles orders, payments, invoices, refunds and subscriptions to the cent. Reads the database
 * of DATABASE_URL, or the embedded one of DATA_DIR. Exits with 1 if anything differs.
 */
import { type Reconciliation, reconcile } from "../app/domain/payments/reconcile.server.ts";
import { counted } from "../app/domain/wording.ts";
import { log, onServiceDatabase } from "./service-database.ts";

const print = ({ tallies, differences }: Reconciliation): number => {
  for (const { what, count, cents } of tallies) {
    log(`${what.padEnd(18)} ${String(count).padStart(8)} ${money(cents).padStart(16)}`);
  }
  for (const difference of differences) log(`DIFFERENCE  ${difference}`);
  log(differences.length === 0 ? "Everything agrees to the cent." : `${counted(differences.length, "difference")}.`);
  return differences.length === 0 ? 0 : 1;
};

const money = (cents: number) => (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });

await onServiceDatabase(async ({ db, config }) => print(await reconcile({ db, settings: config })));
