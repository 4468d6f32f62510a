/** Answers with a passkey: what signing in, the second factor and confirming one's identity have in common. */
import type { Tx } from "../../platform/db.server.ts";
import { logSecurityEvent } from "../../platform/security-events.ts";
import type { Context } from "../context.ts";
import { dayOf } from "../dates.ts";
import { Refusal } from "../errors.ts";
import { passkeyCopySuspected } from "../notifications/messages.ts";
import { enqueue } from "../notifications/outbox.server.ts";
import { recordAudit } from "./audit.server.ts";
import type { Origin } from "./lucia.server.ts";
import { checkAssertion, type RequestOptions, requestOptionsOf } from "./passkey-ceremony.server.ts";
import {
  type ChallengeFor,
  type OpenChallenge,
  readPasskeyChallenge,
  writePasskeyChallenge,
} from "./passkey-challenge.server.ts";
import { challengeIn, readAssertion } from "./passkey-json.ts";
import * as queries from "./passkey-queries.server.ts";
import { type Attempt, passkeysFrom } from "./throttle.server.ts";

/** A passkey of an open account with a right signature. `acceptPasskey` has still to accept it. */
export type PasskeyAnswer = {
  passkey: Pick<queries.PasskeyRow, "id" | "accountId" | "name">;
  signCount: number;
  isSynced: boolean;
  challenge: OpenChallenge;
  attempt: Attempt;
};

/** @param accountId null: whoever has a passkey for this site */
export const askForPasskey = async (
  ctx: Pick<Context, "db" | "clock" | "random" | "sealer" | "settings">,
  about: ChallengeFor,
  accountId: number | null,
): Promise<RequestOptions> => {
  const own = accountId === null ? [] : await queries.listPasskeys(ctx.db, accountId);
  const allowed = own.map(({ credentialId, transports }) => ({ id: credentialId, transports }));
  return requestOptionsOf(ctx, writePasskeyChallenge(ctx, about), allowed);
};

/**
 * Checks an answer, which is counted first, like a password. Every refusal is the same, whether or not the passkey exists.
 *
 * @param accountId null: the passkey says whose it is
 * @throws invalid
 * @throws rate_limited after too many failures from the address
 */
export const checkPasskey = async (
  ctx: Pick<Context, "db" | "clock" | "rateLimiter" | "sealer" | "settings">,
  about: ChallengeFor,
  accountId: number | null,
  json: string,
  origin: Origin,
): Promise<PasskeyAnswer> => {
  const attempt = await passkeysFrom(ctx, origin).count();
  const answer = readAssertion(json);
  const asked = answer && challengeIn(answer);
  const challenge = asked === null ? null : readPasskeyChallenge(ctx, about, asked);
  if (!answer || !asked || !challenge) throw refused(accountId);
  const passkey = await queries.findPasskey(ctx.db, answer.id);
  const { userHandle } = answer.response;
  const isTheirs =
    passkey !== null &&
    (accountId === null ? userHandle === passkey.userHandle : accountId === passkey.accountId) &&
    (!userHandle || userHandle === passkey.userHandle);
  const checked = isTheirs ? await checkAssertion(ctx, answer, asked, passkey) : null;
  if (!passkey || !checked) throw refused(accountId ?? passkey?.accountId ?? null);
  return { passkey, ...checked, challenge, attempt };
};

/**
 * Accepts an answer, once. The caller holds a lock on the account, and commits also if it is not accepted.
 *
 * A count that does not rise can mean that somebody has copied the passkey: the holder gets an e-mail.
 */
export const acceptPasskey = async (
  ctx: Pick<Context, "clock" | "settings"> & { db: Tx },
  { passkey, signCount, isSynced, challenge }: PasskeyAnswer,
): Promise<boolean> => {
  const { db: tx } = ctx;
  const now = ctx.clock.now();
  if (!(await queries.spendChallenge(tx, challenge.hash, challenge.expiresAt))) return false;
  if (await queries.markPasskeyUsed(tx, passkey.id, { signCount, isSynced, now })) return true;
  const { accountId, id, name } = passkey;
  if (!(await queries.hasPasskey(tx, id))) return false;
  await recordAudit(tx, { account: { id: accountId } }, "passkey.copy_suspected", now, { name });
  const mail = passkeyCopySuspected(ctx.settings.appUrl, { name });
  await enqueue(tx, { ...mail, dedupeKey: `passkey-copy:${id}:${dayOf(now)}`, accountId }, now);
  return false;
};

const refused = (accountId: number | null): Refusal => {
  logSecurityEvent("passkey.refused", accountId);
  return passkeyNotAccepted();
};

export const passkeyNotAccepted = (): Refusal =>
  new Refusal("invalid", "This passkey was not accepted. Try again, or use another way");
