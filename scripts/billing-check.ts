/**
 * `npm run billing:check`: whether what was ordered, paid, invoiced, given back and handed over agrees to the cent. Reads
 * the database of DATABASE_URL, or the embedded one of DATA_DIR. Ends with 1 when anything differs.
 */
import { type Reconciliation, reconcile } from "../app/domain/payments/reconcile.server.ts";
import { onServiceDatabase, say } from "./service-database.ts";

const tell = ({ tallies, differences }: Reconciliation): number => {
  for (const { what, count, cents } of tallies) {
    say(`${what.padEnd(18)} ${String(count).padStart(8)} ${money(cents).padStart(16)}`);
  }
  for (const difference of differences) say(`DIFFERENCE  ${difference}`);
  say(differences.length === 0 ? "Everything agrees to the cent." : `${differences.length} differences.`);
  return differences.length === 0 ? 0 : 1;
};

const money = (cents: number) => (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });

await onServiceDatabase(async ({ db, config }) => tell(await reconcile({ db, settings: config })));
