import { randomUUID } from "node:crypto";
import type { Account } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { Refusal } from "../errors.ts";
import { leaseSeconds, maxStreams } from "./policy.ts";
import * as queries from "./queries.server.ts";

export type Lease = {
  /** @returns false if it had expired and another connection has taken its place */
  renew(): Promise<boolean>;
  release(): Promise<void>;
};

/** Another connection may take the same slot at the same moment. Each attempt then finds the next one. */
const attempts = maxStreams;

/**
 * Counts a connection of an account, in whichever process. It counts until it is released, or not renewed in time.
 *
 * @throws rate_limited if the account has as many connections as it may
 */
export const takeLease = async (
  { db, deviceClock }: Pick<Context, "db" | "deviceClock">,
  { id: accountId }: Pick<Account, "id">,
): Promise<Lease> => {
  const expiresAt = () => new Date(deviceClock.now().getTime() + leaseSeconds * 1000);
  const leaseId = randomUUID();
  for (let attempt = 0; attempt < attempts; attempt++) {
    const now = deviceClock.now();
    const slot = await queries.takeSlot(db, { accountId, slots: maxStreams, leaseId, now, expiresAt: expiresAt() });
    if (slot !== null) {
      const key = { accountId, slot, leaseId };
      return {
        renew: () => queries.renewSlot(db, key, expiresAt()),
        release: () => queries.releaseSlot(db, key),
      };
    }
    if ((await queries.heldSlots(db, accountId, now)) >= maxStreams) break;
  }
  throw new Refusal("rate_limited", "Too many requests - Rate limit exceeded", {
    retryAfterSeconds: leaseSeconds,
    fields: [
      { path: "connections", message: `An account may follow changes over ${maxStreams} connections. Close one first` },
    ],
  });
};
