/** The key that encrypts secrets in the database: a backup is of little use without it. */
import { createHmac } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { BackupTrouble } from "./format.ts";

/** Where the service keeps the key if `SECRETS_KEY` is not set. */
export const keyFile = (dataDir: string): string => path.join(dataDir, "secrets-key");

/** In base64. Null: there is none yet. */
export const keptKey = (dataDir: string): string | null =>
  fs.existsSync(keyFile(dataDir)) ? fs.readFileSync(keyFile(dataDir), "utf8").trim() : null;

/** Says whether two keys are the same, and nothing about them. */
export const keyId = (key: Uint8Array): string => createHmac("sha256", key).update("backup").digest("hex").slice(0, 16);

export const keyIdOf = (config: { secretsKey: Uint8Array | null }, dataDir: string): string | null => {
  const kept = config.secretsKey ? null : keptKey(dataDir);
  const key = config.secretsKey ?? (kept ? Buffer.from(kept, "base64") : null);
  return key && keyId(key);
};

/** @throws BackupTrouble if there is another key than the backup's */
export const refuseOtherKey = (key: string, dataDir: string): void => {
  const kept = keptKey(dataDir);
  if (kept === null || kept === key) return;
  throw new BackupTrouble(
    `${keyFile(dataDir)} has another key than the backup. Move that file away if nothing needs it, and try again.`,
  );
};

/** Keeps the key of a backup, once its rows are restored. @throws BackupTrouble if there is another one */
export const keepKey = (key: string, dataDir: string): void => {
  refuseOtherKey(key, dataDir);
  if (keptKey(dataDir) === key) return;
  fs.mkdirSync(dataDir, { recursive: true });
  fs.writeFileSync(keyFile(dataDir), `${key}\n`, { mode: 0o600, flag: "wx" });
};
