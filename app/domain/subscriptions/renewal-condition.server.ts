import { sql } from "drizzle-orm";
import { accounts, subscriptions } from "#drizzle/schema/index.ts";

/** `renews` in SQL, for queries that join subscriptions with their accounts. */
export const isRenewing =
  sql`(${subscriptions.autoRenew} and ${subscriptions.cancelledAt} is null and ${accounts.standing} = 'good')`.mapWith(
    Boolean,
  );
