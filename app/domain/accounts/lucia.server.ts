/**
 * Sessions, by Lucia. Its session id is the token, so the database is given SHA-256 of it; its time is the
 * machine's, so expiries are moved by how far our clock is ahead.
 *
 * @spec Authentication
 */
import { createHash } from "node:crypto";
import { type Adapter, type DatabaseSession, Lucia, TimeSpan } from "lucia";
import type { Tx } from "../../platform/db.server.ts";
import { type Clock, systemClock } from "../clock.ts";
import type { Account } from "./caller.ts";
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

export type SessionKind = "portal" | "bearer";
/** Where a request comes from. */
export type Origin = {
  ipAddress: string | null;
  userAgent: string | null;
  /** What the browser's device cookie holds. Programs have none. */
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

/** Who holds a token; null: nobody (any more). A portal session that is half over is extended. */
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

/** Opens a session. The lock keeps it from outliving whatever ends the account's sessions at the same time. */
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

/** What the database knows a token by. */
export const hashToken = (token: string): string => createHash("sha256").update(token).digest("hex");

/** Lucia counts in the machine's time, we in our clock's; the difference moves the test clock's sessions along. */
const aheadMs = (ctx: SessionWorld) => ctx.clock.now().getTime() - systemClock.now().getTime();
const shifted = (instant: Date, ms: number) => new Date(instant.getTime() + ms);

/** An expiry of Lucia's in our clock's time, to the second: two clocks are never read in the same instant. */
const ourTime = (ctx: SessionWorld, instant: Date): Date =>
  new Date(Math.round(shifted(instant, aheadMs(ctx)).getTime() / 1000) * 1000);

/** Forgets the sessions that have run out, of either kind. */
export const deleteExpired = (ctx: SessionWorld): Promise<void> =>
  sessionsOf(adapter(ctx, "portal"), "portal").deleteExpiredSessions();

const adapter = (ctx: SessionWorld, kind: SessionKind): Adapter => {
  return {
    getSessionAndUser: async (token) => {
      const row = await queries.findSession(ctx.db, hashToken(token), kind, ctx.clock.now());
      if (!row) return [null, null];
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

const needsLock = (what: "opened" | "ended"): never => {
  throw new Error(`Sessions are ${what} under the account's lock: by createSession, or endSessions of lock.server.ts`);
};
