/** Who holds this API key. @spec Authentication */
import { timingSafeEqual } from "node:crypto";
import { batch } from "../../platform/batch.server.ts";
import { perDatabase } from "../../platform/db.server.ts";
import type { Caller, KeyProof } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { findActiveKeys } from "./queries.server.ts";
import { hashSecret, isWellFormedSecret } from "./secret.ts";

type World = Pick<Context, "db">;

/** Null for a wrong, inactive or deleted key, and for a username other than the key's. */
export const authenticateKey = async (
  ctx: World,
  secret: string,
  username: string,
): Promise<Caller<KeyProof> | null> => {
  if (!isWellFormedSecret(secret)) return null;
  const holder = await lookUpOf(ctx.db)(hashSecret(secret));
  if (!holder || !sameText(holder.user, username)) return null;
  return { account: holder.account, proof: { scheme: "key", keyId: holder.keyId, keyName: holder.keyName } };
};

/** Requests that arrive while a look-up runs go out together in the next one. Nothing is cached. */
const lookUpOf = perDatabase((db) =>
  batch(async (hashes: Uint8Array[]) => {
    const holders = new Map((await findActiveKeys(db, hashes)).map((holder) => [hex(holder.secretHash), holder]));
    return hashes.map((hash) => holders.get(hex(hash)) ?? null);
  }),
);

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

const sameText = (left: string, right: string): boolean => {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
};
