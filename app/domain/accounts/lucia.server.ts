/**
 * Sessions with Lucia. Lucia uses the token as session id, so its adapter stores the SHA-256 instead. Lucia uses the
 * system clock, so expiries are shifted by the lead of our clock.
 *
 * @spec Authentication
 */
import { createHash } from "node:crypto";
import { type Adapter, type DatabaseSession, Lucia, TimeSpan } from "lucia";
import { batch } from "../../platform/batch.server.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { type Clock, systemClock } from "../clock.ts";
import type { Account } from "./caller.ts";
import type { sessionKinds } from "./enums.ts";
import { bearerHours, portalSessionDays } from "./policy.ts";
import * as queries from "./session-queries.server.ts";

declare module "lucia" {
  interface Register {
    Lucia: ReturnType<typeof sessionsOf>;
    UserId: number;
    DatabaseSessionAttributes: Pick<Origin, "ipAddress" | "userAgent">;
    DatabaseUserAttributes: Account;
  }
}

export type SessionKind = (typeof sessionKinds)[number];
/** The origin of a request. */
export type Origin = {
  ipAddress: string | null;
  userAgent: string | null;
  /** From the browser's device cookie. API clients have none. */
  deviceToken?: string | null;
};

/** `db` may be a transaction. */
export type SessionWorld = { db: Tx; clock: Clock };

const lifetime = { bearer: new TimeSpan(bearerHours, "h"), portal: new TimeSpan(portalSessionDays, "d") } as const;

const sessionsOf = (adapter: Adapter, kind: SessionKind) =>
  new Lucia(adapter, {
    sessionExpiresIn: lifetime[kind],
    getUserAttributes: (account) => ({ account }),
  });

/** The holder of a token, or null. A portal session is extended once half of its life is over. */
export const validSession = async (
  ctx: SessionWorld,
  token: string,
  kind: SessionKind,
): Promise<{ account: Account } | null> => {
  let wasDeleted = false;
  const reading: Adapter = {
    ...adapter(ctx, kind),
    updateSessionExpiration: async (id, expiresAt) => {
      if (kind === "bearer") return;
      wasDeleted = !(await queries.moveSessionExpiry(ctx.db, hashToken(id), ourTime(ctx, expiresAt)));
    },
  };
  const { user } = await sessionsOf(reading, kind).validateSession(token);
  return wasDeleted ? null : user;
};

/** Opens a session. Thanks to the lock it cannot survive a concurrent `endSessions`. */
export const createSession = async (
  lock: queries.SharedLock,
  clock: Clock,
  kind: SessionKind,
  { ipAddress, userAgent }: Origin,
): Promise<{ token: string; expiresAt: Date }> => {
  const ctx = { db: lock.tx, clock };
  const opening: Adapter = {
    ...adapter(ctx, kind),
    setSession: async ({ id, expiresAt, attributes }) => {
      const row = { id: hashToken(id), kind, createdAt: clock.now(), expiresAt: ourTime(ctx, expiresAt) };
      await queries.insertSession(lock, { ...row, ...attributes });
    },
  };
  const attributes = { ipAddress, userAgent: userAgent?.slice(0, 300) ?? null };
  const session = await sessionsOf(opening, kind).createSession(lock.account.id, attributes);
  return { token: session.id, expiresAt: ourTime(ctx, session.expiresAt) };
};

/** The stored form of a token. */
export const hashToken = (token: string): string => createHash("sha256").update(token).digest("hex");

/** The lead of our clock over the system clock, which Lucia uses. Sessions thus age with the test clock. */
const aheadMs = (ctx: SessionWorld) => ctx.clock.now().getTime() - systemClock.now().getTime();
const shifted = (instant: Date, ms: number) => new Date(instant.getTime() + ms);

/** An expiry of Lucia's in our clock's time, rounded to the second, as the two clocks are read one after the other. */
const ourTime = (ctx: SessionWorld, instant: Date): Date =>
  new Date(Math.round(shifted(instant, aheadMs(ctx)).getTime() / 1000) * 1000);

/** Deletes expired sessions of both kinds. */
export const deleteExpired = (ctx: SessionWorld): Promise<void> =>
  sessionsOf(adapter(ctx, "portal"), "portal").deleteExpiredSessions();

const adapter = (ctx: SessionWorld, kind: SessionKind): Adapter => {
  return {
    getSessionAndUser: async (token) => {
      const row = await lookUpOf(ctx.db)(hashToken(token));
      if (!row || row.session.kind !== kind || row.session.expiresAt <= ctx.clock.now()) return [null, null];
      const session: DatabaseSession = {
        id: token,
        userId: row.account.id,
        expiresAt: shifted(row.session.expiresAt, -aheadMs(ctx)),
        attributes: { ipAddress: row.session.ipAddress, userAgent: row.session.userAgent },
      };
      return [session, { id: row.account.id, attributes: row.account }];
    },
    getUserSessions: async () => [],
    setSession: async () => needsLock("opened"),
    updateSessionExpiration: async () => {},
    deleteSession: async (token) => {
      await queries.deleteSession(ctx.db, hashToken(token));
    },
    deleteUserSessions: async () => needsLock("ended"),
    deleteExpiredSessions: async () => {
      await queries.deleteSessionsExpiredBy(ctx.db, ctx.clock.now());
    },
  };
};

/** Requests that arrive during a look-up share the next one. Nothing is cached. */
const lookUpOf = perDatabase((db) =>
  batch(async (ids: string[]) => {
    const found = new Map((await queries.findSessions(db, ids)).map((row) => [row.session.id, row]));
    return ids.map((id) => found.get(id) ?? null);
  }),
);

const needsLock = (what: "opened" | "ended"): never => {
  throw new Error(`Sessions are ${what} under the account's lock: by createSession, or endSessions of lock.server.ts`);
};
