/** At the door: the password, and where it is on, the second factor. @spec Authentication */
import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { invalid, unauthenticated } from "../errors.ts";
import { recordAct } from "./audit.server.ts";
import type { Account } from "./caller.ts";
import type { Credentials, CredentialsWithCode } from "./credentials.ts";
import { hashToken, type Origin, type SessionKind } from "./lucia.server.ts";
import { tellOfNewPlace } from "./new-place.server.ts";
import { passwordMatches } from "./password.server.ts";
import * as queries from "./queries.server.ts";
import { takeSecondFactor } from "./second-factor.server.ts";
import { type OpenSession, openSession } from "./session.server.ts";
import { failedSignInsOf, secondFactorsOf } from "./throttle.server.ts";
import * as factors from "./two-factor-queries.server.ts";

type World = Pick<Context, "db" | "clock" | "deviceClock" | "rateLimiter" | "sealer" | "settings">;

/**
 * In one step, as programs do. The same refusal in the same time for an unknown e-mail and a wrong password; and the
 * same one for a code that is wrong, or missing where the account asks for it. From a place that is new to the account,
 * the holder is told by mail.
 *
 * @throws unauthenticated
 * @throws rate_limited after too many failures of one account or from one address
 */
export const signIn = async (
  ctx: World,
  { one_time_code: code, ...input }: CredentialsWithCode,
  kind: SessionKind,
  origin: Origin,
): Promise<OpenSession> => {
  const known = await checkCredentials(ctx, input, origin);
  const { account } = known;
  const asks = await factors.isOn(ctx.db, account.id);
  if (asks && code !== undefined) await secondFactorsOf(ctx, account.id, origin).count();
  const session = await ctx.db.transaction(async (tx) => {
    const world = { ...ctx, db: tx };
    if (!(await queries.lockUnchanged(tx, account.id, known.passwordHash))) return null;
    const passes =
      !(await factors.isOn(tx, account.id)) || (code !== undefined && (await takeSecondFactor(world, account, code)));
    return passes ? enter(world, account, kind, origin) : null;
  });
  if (session) return session;
  await failedSignInsOf(ctx, input.email, origin).count();
  throw unauthenticated();
};

const challengeMinutes = 10;

/** Names a sign-in whose password was right, and opens nothing. */
export type Challenge = { token: string; minutes: number };

/**
 * The first step in the portal: a session where the password is all that the account asks for, else a challenge to be
 * answered with a code.
 *
 * @throws unauthenticated
 * @throws rate_limited after too many failures of one account or from one address
 */
export const beginSignIn = async (
  ctx: World & Pick<Context, "random">,
  input: Credentials,
  origin: Origin,
): Promise<{ session: OpenSession } | { challenge: Challenge }> => {
  const { account, passwordHash } = await checkCredentials(ctx, input, origin);
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    if (!(await queries.lockUnchanged(tx, account.id, passwordHash))) throw unauthenticated();
    if (!(await factors.isOn(tx, account.id))) {
      return { session: await enter({ ...ctx, db: tx }, account, "portal", origin) };
    }
    const token = Buffer.from(ctx.random.bytes(32)).toString("base64url");
    const expiresAt = new Date(now.getTime() + challengeMinutes * 60_000);
    const row = { tokenHash: hashToken(token), accountId: account.id, createdAt: now, expiresAt };
    await factors.insertChallenge(tx, row);
    return { challenge: { token, minutes: challengeMinutes } };
  });
};

/** Whether a challenge can still be answered. */
export const isChallengeOpen = async (ctx: Pick<Context, "db" | "clock">, token: string): Promise<boolean> =>
  (await factors.findChallenge(ctx.db, hashToken(token), ctx.clock.now())) !== null;

/**
 * The second step: a code of the authenticator, or a recovery code.
 *
 * @returns the session; and how many recovery codes are left, if one was used
 * @throws unauthenticated when the challenge is over: begin with the password again
 * @throws invalid for a code that is wrong or has been used
 * @throws rate_limited after too many codes for one account or from one address
 */
export const answerChallenge = async (
  ctx: World,
  input: { token: string; code: string },
  origin: Origin,
): Promise<{ session: OpenSession; recoveryCodesLeft: number | null }> => {
  const tokenHash = hashToken(input.token);
  const challenge = await factors.findChallenge(ctx.db, tokenHash, ctx.clock.now());
  if (!challenge) throw unauthenticated();
  await secondFactorsOf(ctx, challenge.accountId, origin).count();
  const entered = await ctx.db.transaction(async (tx) => {
    const world = { ...ctx, db: tx };
    const account = await queries.lockShared(tx, challenge.accountId);
    if (!account) throw unauthenticated();
    const used = await takeSecondFactor(world, account, input.code);
    if (!used) return null;
    if (!(await factors.deleteChallenge(tx, tokenHash))) throw unauthenticated();
    const recoveryCodesLeft = used.by === "recovery_code" ? used.left : null;
    return { session: await enter(world, account, "portal", origin), recoveryCodesLeft };
  });
  if (!entered) throw invalid("code", "The code is not right, or has been used");
  return entered;
};

const checkCredentials = async (ctx: World, input: Credentials, origin: Origin) => {
  const failures = failedSignInsOf(ctx, input.email, origin);
  await failures.refuseWhenUsedUp();
  const found = await queries.findByEmail(ctx.db, input.email);
  if (!(await passwordMatches(found?.passwordHash ?? null, input.password)) || !found) {
    await failures.count();
    throw unauthenticated();
  }
  const { passwordHash, ...account } = found;
  return { account, passwordHash };
};

/** The account is locked against changes of its password: they end this session, too, or are seen before it is opened. */
const enter = async (
  ctx: Pick<Context, "clock" | "settings"> & { db: Tx },
  account: Account,
  kind: SessionKind,
  origin: Origin,
): Promise<OpenSession> => {
  await tellOfNewPlace(ctx, account, kind, origin);
  await recordAct(ctx.db, { account }, "session.opened", ctx.clock.now(), {
    kind,
    address: origin.ipAddress,
    program: origin.userAgent?.slice(0, 300) ?? null,
  });
  return openSession(ctx, account, kind, origin);
};
