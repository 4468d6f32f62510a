/**
 * Sessions with Lucia. Lucia uses the token as session id, so its adapter stores the SHA-256 instead. Lucia uses the
 * system clock, so expiries are shifted by the lead of our clock.
 *
 * @spec Authentication
 */
import { createHash } from "node:crypto";
import { type Adapter, Lucia, TimeSpan } from "lucia";
import { batch } from "../../platform/batch.server.ts";
import { perDatabase, type Tx } from "../../platform/db.server.ts";
import { type Clock, systemClock } from "../clock.ts";
import type { Account } from "./caller.ts";
import type { sessionKinds } from "./enums.ts";
import { bearerHours, operatorSessionHours, portalSessionDays, portalSessionMaxDays } from "./policy.ts";
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

const millisecondsPerHour = 3_600_000;

/** How long a session can live at most, however much it is used. */
const longestMs = (kind: SessionKind, { role }: Pick<Account, "role">): number => {
  if (kind === "bearer") return bearerHours * millisecondsPerHour;
  return (role === "operator" ? operatorSessionHours : portalSessionMaxDays * 24) * millisecondsPerHour;
};

type Dated = { kind: SessionKind; createdAt: Date; expiresAt: Date };

/** When a session ends unless it is used: at its expiry, or at its absolute limit if that is earlier. */
export const endOf = ({ kind, createdAt, expiresAt }: Dated, account: Pick<Account, "role">): Date =>
  new Date(Math.min(expiresAt.getTime(), createdAt.getTime() + longestMs(kind, account)));

const sessionsOf = (adapter: Adapter, kind: SessionKind) =>
  new Lucia(adapter, {
    sessionExpiresIn: lifetime[kind],
    getUserAttributes: (account) => ({ account }),
  });

/** The holder of a token, or null. A portal session is extended once half of its life is over, up to its absolute limit. */
export const validSession = async (
  ctx: SessionWorld,
  token: string,
  kind: SessionKind,
): Promise<{ account: Account; createdAt: Date } | null> => {
  const row = await lookUpOf(ctx.db)(hashToken(token));
  if (!row || row.session.kind !== kind) return null;
  const { session, account } = row;
  const end = endOf(session, account);
  if (end <= ctx.clock.now()) return null;
  let wasDeleted = false;
  const reading: Adapter = {
    ...adapter(ctx),
    getSessionAndUser: async () => {
      const { ipAddress, userAgent } = session;
      const expiresAt = shifted(session.expiresAt, -aheadMs(ctx));
      return [
        { id: token, userId: account.id, expiresAt, attributes: { ipAddress, userAgent } },
        { id: account.id, attributes: account },
      ];
    },
    updateSessionExpiration: async (id, wanted) => {
      const expiresAt = endOf({ ...session, expiresAt: ourTime(ctx, wanted) }, account);
      // Close to the absolute limit there is nothing to extend.
      if (kind === "bearer" || expiresAt <= end) return;
      wasDeleted = !(await queries.moveSessionExpiry(ctx.db, hashToken(id), expiresAt));
    },
  };
  const { user } = await sessionsOf(reading, kind).validateSession(token);
  return user && !wasDeleted ? { account: user.account, createdAt: session.createdAt } : null;
};

/** Opens a session. Thanks to the lock it cannot survive a concurrent `endSessions`. */
export const createSession = async (
  lock: queries.SharedLock,
  clock: Clock,
  kind: SessionKind,
  { ipAddress, userAgent }: Origin,
): Promise<{ token: string; expiresAt: Date }> => {
  const ctx = { db: lock.tx, clock };
  let end: Date | undefined;
  const opening: Adapter = {
    ...adapter(ctx),
    setSession: async ({ id, expiresAt, attributes }) => {
      const dated = { kind, createdAt: clock.now(), expiresAt: ourTime(ctx, expiresAt) };
      end = endOf(dated, lock.account);
      await queries.insertSession(lock, { id: hashToken(id), ...dated, expiresAt: end, ...attributes });
    },
  };
  const attributes = { ipAddress, userAgent: userAgent?.slice(0, 300) ?? null };
  const session = await sessionsOf(opening, kind).createSession(lock.account.id, attributes);
  return { token: session.id, expiresAt: end ?? ourTime(ctx, session.expiresAt) };
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
  sessionsOf(adapter(ctx), "portal").deleteExpiredSessions();

const adapter = (ctx: SessionWorld): Adapter => {
  return {
    getSessionAndUser: async () => [null, null],
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
