/**
 * Challenges of passkeys. They are encrypted and stored by nobody until one is answered, so that strangers cannot fill a table.
 * Each belongs to one purpose and one browser, and is accepted once.
 */
import { createHash } from "node:crypto";
import type { Context } from "../context.ts";
import { passkeyChallengeMinutes } from "./policy.ts";

export type ChallengeFor = {
  /** `confirm`: a holder who is signed in. */
  purpose: "register" | "sign-in" | "second-factor" | "confirm";
  /** Known to this browser only: its session, its sign-in with a correct password, or a cookie made for the challenge. */
  binding: string;
};

export type OpenChallenge = { hash: string; expiresAt: Date; userHandle: string | null };

/** @param userHandle what a new passkey will know the account by */
export const writePasskeyChallenge = (
  ctx: Pick<Context, "clock" | "random" | "sealer">,
  about: ChallengeFor,
  userHandle: string | null = null,
): Uint8Array<ArrayBuffer> => {
  const nonce = Buffer.from(ctx.random.bytes(16)).toString("base64url");
  const expiresAt = ctx.clock.now().getTime() + passkeyChallengeMinutes * 60_000;
  const text = Buffer.from(JSON.stringify([nonce, expiresAt, userHandle]));
  return new Uint8Array(ctx.sealer.seal(text, aboutOf(about)));
};

/** Null: the challenge is not ours, belongs to another browser or purpose, or has expired. */
export const readPasskeyChallenge = (
  ctx: Pick<Context, "clock" | "sealer">,
  about: ChallengeFor,
  challenge: string,
): OpenChallenge | null => {
  const text = unsealed(ctx, about, challenge);
  if (text === null) return null;
  const [, expiresAt, userHandle] = JSON.parse(text) as [string, number, string | null];
  if (expiresAt <= ctx.clock.now().getTime()) return null;
  const hash = createHash("sha256").update(Buffer.from(challenge, "base64url")).digest("hex");
  return { hash, expiresAt: new Date(expiresAt), userHandle };
};

const unsealed = (ctx: Pick<Context, "sealer">, about: ChallengeFor, challenge: string): string | null => {
  try {
    return Buffer.from(ctx.sealer.open(Buffer.from(challenge, "base64url"), aboutOf(about))).toString();
  } catch {
    return null;
  }
};

const aboutOf = ({ purpose, binding }: ChallengeFor): string => `passkey:${purpose}:${binding}`;
