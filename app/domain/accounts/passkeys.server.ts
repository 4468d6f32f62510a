/** The passkeys of an account: its holder lists, adds, renames and removes them. */
import type { Tx } from "../../platform/db.server.ts";
import type { Context } from "../context.ts";
import { conflict, notFound, Refusal, unauthenticated } from "../errors.ts";
import { passkeyAdded, passkeyRemoved } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { recordAudit } from "./audit.server.ts";
import type { Caller, SessionProof } from "./caller.ts";
import { requireFreshProof } from "./confirm-holder.server.ts";
import { type ExclusiveLock, endSessions, lockAccount } from "./lock.server.ts";
import type { Origin } from "./lucia.server.ts";
import { type CreationOptions, checkAttestation, creationOptionsOf } from "./passkey-ceremony.server.ts";
import { readPasskeyChallenge, writePasskeyChallenge } from "./passkey-challenge.server.ts";
import { challengeIn, readAttestation } from "./passkey-json.ts";
import * as queries from "./passkey-queries.server.ts";
import { maxPasskeys } from "./policy.ts";
import { newRecoveryCodes } from "./recovery-codes.server.ts";
import { isSessionOpen } from "./session-queries.server.ts";
import { passkeysFrom } from "./throttle.server.ts";
import * as factors from "./two-factor-queries.server.ts";

export type Passkey = {
  id: number;
  name: string;
  createdAt: Date;
  /** Null: not yet. */
  lastUsedAt: Date | null;
  /** Whether its holder's provider keeps a copy, for several devices. */
  isSynced: boolean;
};

/** Oldest first. */
export const listPasskeys = async (
  ctx: Pick<Context, "db">,
  { account }: { account: Pick<Caller["account"], "id"> },
): Promise<Passkey[]> =>
  (await queries.listPasskeys(ctx.db, account.id)).map(({ id, name, createdAt, lastUsedAt, isSynced }) => ({
    id,
    name,
    createdAt,
    lastUsedAt,
    isSynced,
  }));

export const countPasskeys = (
  ctx: { db: Tx },
  { account }: { account: Pick<Caller["account"], "id"> },
): Promise<number> => queries.countPasskeys(ctx.db, account.id);

/**
 * What the browser needs to create a passkey. Nothing is stored until the browser has created it.
 *
 * @throws ProofRequired unless the holder has just signed in
 * @throws conflict at the limit of passkeys
 */
export const beginPasskey = async (
  ctx: Pick<Context, "db" | "clock" | "random" | "sealer" | "settings">,
  caller: Caller<SessionProof>,
): Promise<CreationOptions> => {
  requireFreshProof(ctx, caller);
  const { account, proof } = caller;
  const known = await queries.listPasskeys(ctx.db, account.id);
  if (known.length >= maxPasskeys) throw tooMany();
  const userHandle = known[0]?.userHandle ?? Buffer.from(ctx.random.bytes(32)).toString("base64url");
  const challenge = writePasskeyChallenge(ctx, { purpose: "register", binding: proof.sessionId }, userHandle);
  return creationOptionsOf(ctx, {
    account,
    challenge,
    userHandle,
    known: known.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  });
};

/**
 * Adds the passkey that the browser has created, and notifies the account holder by e-mail. The first factor turns two-factor
 * sign-in on: recovery codes are created, and all other sessions end, as they were opened with the password alone.
 *
 * @returns recovery codes, which are never shown again; none if two-factor sign-in was on
 * @throws ProofRequired unless the holder has just signed in
 * @throws invalid if the passkey is not accepted
 * @throws conflict for a passkey that an account has, and at the limit
 * @throws rate_limited after too many failures from the address
 */
export const addPasskey = async (
  ctx: Pick<Context, "db" | "clock" | "random" | "rateLimiter" | "sealer" | "settings">,
  caller: Caller<SessionProof>,
  input: { passkey: string; name: string },
  origin: Origin,
): Promise<{ recoveryCodes: string[] }> => {
  requireFreshProof(ctx, caller);
  const { account, proof } = caller;
  const attempt = await passkeysFrom(ctx, origin).count();
  const answer = readAttestation(input.passkey);
  const asked = answer && challengeIn(answer);
  const about = { purpose: "register", binding: proof.sessionId } as const;
  const challenge = asked === null ? null : readPasskeyChallenge(ctx, about, asked);
  const created = answer && asked && challenge ? await checkAttestation(ctx, answer, asked) : null;
  if (!created || !challenge?.userHandle) throw notAccepted();
  const { userHandle } = challenge;
  const now = ctx.clock.now();
  const recoveryCodes = await ctx.db.transaction(async (tx) => {
    const locked = await lockOwn(tx, caller);
    if (!(await queries.spendChallenge(tx, challenge.hash, challenge.expiresAt))) throw notAccepted();
    if ((await queries.countPasskeys(tx, account.id)) >= maxPasskeys) throw tooMany();
    const wasOn = await factors.isOn(tx, account.id);
    const row = { ...created, accountId: account.id, userHandle, name: input.name, createdAt: now };
    const id = await queries.insertPasskey(tx, row);
    if (id === null) throw conflict("This passkey was added before");
    await recordAudit(tx, caller, "passkey.added", now, { name: input.name });
    const mail = passkeyAdded(ctx.settings.appUrl, { name: input.name, turnedOn: !wasOn });
    await enqueue(tx, { ...mail, dedupeKey: `passkey-added:${id}`, accountId: account.id }, now);
    if (wasOn) return [];
    const endedSessions = await endSessions(locked, now, proof);
    await recordAudit(tx, caller, "two_factor.turned_on", now, { ended_sessions: endedSessions });
    return newRecoveryCodes({ ...ctx, db: tx }, account.id, now);
  });
  await attempt.giveBack();
  return { recoveryCodes };
};

/** @throws not_found */
export const renamePasskey = async (
  ctx: Pick<Context, "db" | "clock">,
  caller: Caller<SessionProof>,
  input: { id: number; name: string },
): Promise<void> =>
  ctx.db.transaction(async (tx) => {
    const renamed = await queries.renamePasskey(tx, caller.account.id, input.id, input.name);
    if (!renamed) throw notFound("Passkey");
    await recordAudit(tx, caller, "passkey.renamed", ctx.clock.now(), { name: input.name });
  });

/**
 * Removes a passkey and notifies the account holder by e-mail. Without any other factor, this turns two-factor sign-in off.
 *
 * @throws ProofRequired unless the holder has just signed in
 * @throws not_found
 */
export const removePasskey = async (
  ctx: Pick<Context, "db" | "clock" | "settings">,
  caller: Caller<SessionProof>,
  input: { id: number },
): Promise<{ name: string; isOff: boolean }> => {
  requireFreshProof(ctx, caller);
  const { account } = caller;
  const now = ctx.clock.now();
  return ctx.db.transaction(async (tx) => {
    await lockOwn(tx, caller);
    const removed = await queries.deletePasskey(tx, account.id, input.id);
    if (!removed) throw notFound("Passkey");
    const { name } = removed;
    const left = await factors.findFactors(tx, account.id);
    const isOff = !left.hasApp && left.passkeys === 0;
    if (isOff) await factors.deleteTwoFactor(tx, account.id);
    await recordAudit(tx, caller, "passkey.removed", now, { name });
    if (isOff) await recordAudit(tx, caller, "two_factor.turned_off", now);
    const mail = passkeyRemoved(ctx.settings.appUrl, { name, isOff });
    await enqueue(tx, { ...mail, dedupeKey: `passkey-removed:${input.id}`, accountId: account.id }, now);
    return { name, isOff };
  });
};

/**
 * Removes all passkeys with a new password, in the caller's transaction. Two-factor sign-in stays on, with the recovery codes and
 * the authenticator app if there is one: a link in an e-mail must not remove the second factor.
 *
 * @returns how many there were
 */
export const removeAllPasskeys = (tx: Tx, accountId: number): Promise<number> =>
  queries.deletePasskeysOf(tx, accountId);

/** @throws unauthenticated if the session ended meanwhile, for example by a password reset */
const lockOwn = async (tx: Tx, { account, proof }: Caller<SessionProof>): Promise<ExclusiveLock> => {
  const locked = await lockAccount(tx, account.id);
  if (!locked || !(await isSessionOpen(tx, proof.sessionId))) throw unauthenticated();
  return locked;
};

const tooMany = () => conflict(`An account can have ${maxPasskeys} passkeys. Remove one first`);
const notAccepted = () => new Refusal("invalid", "This passkey was not accepted. Add it again");
