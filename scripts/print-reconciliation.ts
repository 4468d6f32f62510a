import type { Reconciliation } from "../app/domain/payments/reconcile.server.ts";
import { counted } from "../app/domain/wording.ts";
import { log } from "./service-database.ts";

/** @returns the exit code: 1 if anything differs */
export const printReconciliation = ({ tallies, differences }: Reconciliation): number => {
  for (const { what, count, cents } of tallies) {
    log(`${what.padEnd(18)} ${String(count).padStart(8)} ${money(cents).padStart(16)}`);
  }
  for (const difference of differences) log(`DIFFERENCE  ${difference}`);
  log(differences.length === 0 ? "Everything agrees to the cent." : `${counted(differences.length, "difference")}.`);
  return differences.length === 0 ? 0 : 1;
};

const money = (cents: number) => (cents / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });
