/** Signing secrets. They are stored encrypted by the service's key, because signing needs them in plain text. */
import type { Context } from "../context.ts";
import { secretBytes } from "./policy.ts";

type World = Pick<Context, "random" | "sealer">;

/** @returns the secret as its holder gets it, once, and as it is stored */
export const newSigningSecret = (ctx: World, accountId: number): { secret: string; sealed: Uint8Array } => {
  const bytes = ctx.random.bytes(secretBytes);
  return {
    secret: `whsec_${Buffer.from(bytes).toString("base64")}`,
    sealed: ctx.sealer.seal(bytes, sealedAbout(accountId)),
  };
};

/** What a sealed secret belongs to. */
export const sealedAbout = (accountId: number): string => `webhook-secret:${accountId}`;
