import type { Plan } from "../plans/plans.ts";

/**
 * What a request assumed about its key because an earlier request had read it. The request's record is written only if it is still
 * true, see `insertRecords`, and the request is not answered without its record.
 */
export type RecalledKey = {
  /** SHA-256 in hex. */
  secretHash: string;
  routeId: number | null;
  /** Of the key, its account, and the entitlement to the route. */
  state: string;
  /** The account's. */
  plan: Plan;
};
