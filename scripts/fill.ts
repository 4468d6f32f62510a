/**
 * `npm run fill -- --subscriptions 60 --logs 1000000`: gives the demo account heavy usage, to see the portal with
 * much data. In test mode only. Adds to the database of DATABASE_URL, or the embedded one of DATA_DIR.
 */
import { parseArgs } from "node:util";
import { demo } from "../drizzle/seed/demo-identity.ts";
import { fill } from "../drizzle/seed/fill.ts";
import { log, onServiceDatabase } from "./service-database.ts";

const { values } = parseArgs({
  options: { subscriptions: { type: "string", default: "60" }, logs: { type: "string", default: "100000" } },
});
const [subscriptions, logs] = [Number(values.subscriptions), Number(values.logs)];

await onServiceDatabase(async ({ db, config, clock }) => {
  if (!config.testMode) {
    log("Only in test mode: this writes purchases that nobody has made.");
    return 1;
  }
  if (![subscriptions, logs].every((count) => Number.isInteger(count) && count >= 0)) {
    log("--subscriptions and --logs take whole numbers.");
    return 1;
  }
  await fill({ db, clock, appUrl: config.appUrl }, demo, { subscriptions, logs }, log);
  return 0;
});
