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
import * as queries from "./queries.server.ts";

declare module "lucia" {
  interface Register {
    Lucia: ReturnType<typeof sessionsOf>;
    UserId: number;
    DatabaseSessionAttributes: Origin;
    DatabaseUserAttributes: Account;
  }
}

export type SessionKind = "portal" | "bearer";
/** Where a sign-in came from, for the account's list of sessions. */
export type Origin = { ipAddress: string | null; userAgent: string | null };

/** `db` may be a transaction. */
export type SessionWorld = { db: Tx; clock: Clock };

/** A bearer lives 24 hours, absolute; a portal session 30 days, sliding. */
const lifetime = { bearer: new TimeSpan(24, "h"), portal: new TimeSpan(30, "d") } as const;

export const sessionsOf = (ctx: SessionWorld, kind: SessionKind) =>
  new Lucia(adapter(ctx, kind), {
    sessionExpiresIn: lifetime[kind],
    getUserAttributes: (account) => ({ account }),
  });

/** What the database knows a token by. */
export const hashToken = (token: string): string => createHash("sha256").update(token).digest("hex");

/** Lucia counts in the machine's time, we in our clock's; the difference moves the test clock's sessions along. */
const aheadMs = (ctx: SessionWorld) => ctx.clock.now().getTime() - systemClock.now().getTime();
const shifted = (instant: Date, ms: number) => new Date(instant.getTime() + ms);

/** An expiry of Lucia's in our clock's time, to the second: two clocks are never read in the same instant. */
export const ourTime = (ctx: SessionWorld, instant: Date): Date =>
  new Date(Math.round(shifted(instant, aheadMs(ctx)).getTime() / 1000) * 1000);

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
    setSession: async (session) => {
      await queries.insertSession(ctx.db, {
        id: hashToken(session.id),
        accountId: session.userId,
        kind,
        createdAt: ctx.clock.now(),
        expiresAt: ourTime(ctx, session.expiresAt),
        ...session.attributes,
      });
    },
    updateSessionExpiration: async (token, expiresAt) => {
      if (kind === "portal") await queries.moveSessionExpiry(ctx.db, hashToken(token), ourTime(ctx, expiresAt));
    },
    deleteSession: async (token) => {
      await queries.deleteSession(ctx.db, hashToken(token));
    },
    deleteUserSessions: async (accountId) => {
      await queries.deleteSessionsOf(ctx.db, accountId);
    },
    deleteExpiredSessions: async () => {
      await queries.deleteSessionsExpiredBy(ctx.db, ctx.clock.now());
    },
  };
};
