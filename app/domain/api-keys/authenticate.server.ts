/** Authentication by API key. @spec Authentication */
import { timingSafeEqual } from "node:crypto";
import { batch } from "../../platform/batch.server.ts";
import { perDatabase } from "../../platform/db.server.ts";
import type { Caller, KeyProof } from "../accounts/caller.ts";
import type { Context } from "../context.ts";
import { findActiveKeys } from "./queries.server.ts";
import { hashSecret, isWellFormedSecret } from "./secret.ts";

type World = Pick<Context, "db">;

/** Null if the key is wrong, inactive or deleted, or the username is not the key's. */
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

/** Requests that arrive during a look-up share the next one. Nothing is cached. */
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
