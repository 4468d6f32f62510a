/**
 * Encrypts stored responses, because they can contain secrets that the database must not hold in plain text (an API key, a
 * token). The encryption key is derived from the `Idempotency-Key`, of which only a hash is stored, so that only a client
 * that repeats the request can decrypt its response.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync } from "node:crypto";

const tagLength = 16;
/** A constant nonce is safe here only because each derived key encrypts a single text. */
const nonce = Buffer.alloc(12);

type By = { scope: string; key: string; request: string };

/** AES-256-GCM under a key derived from the idempotency key and the request. */
export const seal = (text: string, by: By): Uint8Array => {
  const cipher = createCipheriv("aes-256-gcm", keyOf(by), nonce);
  return Buffer.concat([cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
};

export const open = (sealed: Uint8Array, by: By): string => {
  const decipher = createDecipheriv("aes-256-gcm", keyOf(by), nonce);
  decipher.setAuthTag(sealed.subarray(-tagLength));
  return Buffer.concat([decipher.update(sealed.subarray(0, -tagLength)), decipher.final()]).toString("utf8");
};

/** The request is hashed because HKDF accepts at most 1,024 bytes of it. */
const keyOf = ({ scope, key, request }: By): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", key, scope, createHash("sha256").update(request).digest(), 32));
