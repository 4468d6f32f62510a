/**
 * `npm run billing:check`: reconciles orders, payments, invoices, refunds and subscriptions to the cent. Reads the database
 * of DATABASE_URL, or the embedded one of DATA_DIR. Exits with 1 if anything differs.
 */
import { reconcile } from "../app/domain/payments/reconcile.server.ts";
import { printReconciliation } from "./print-reconciliation.ts";
import { onServiceDatabase } from "./service-database.ts";

await onServiceDatabase(async ({ db, config }) => printReconciliation(await reconcile({ db, settings: config })));
