import type { ExclusiveLock } from "../accounts/lock.server.ts";
import { dayOf } from "../dates.ts";
import * as queries from "./end-queries.server.ts";

/**
 * Ends all subscriptions of an account that is being closed: running ones today, one that began today tomorrow, without a
 * refund. None renews.
 */
export const endSubscriptions = ({ tx, account }: ExclusiveLock, now: Date): Promise<void> =>
  queries.endSubscriptions(tx, account.id, dayOf(now), now);
