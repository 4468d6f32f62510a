/**
 * Encrypts stored responses, because they can contain secrets that the database must not hold in plain text (an API key, a
 * token). The encryption key is derived from the `Idempotency-Key`, of which only a hash is stored, so that only a client
 * that repeats the request can decrypt its response.
 */
import { createDecipheriv, createHash, hkdfSync } from "node:crypto";
import { sealerOf } from "../../platform/sealer.server.ts";

type By = { scope: string; key: string; request: string };

const about = "idempotent response";

/** AES-256-GCM under a key derived from the idempotency key and the request. */
export const seal = (text: string, by: By): Uint8Array => sealerOf(keyOf(by)).seal(Buffer.from(text), about);

export const open = (sealed: Uint8Array, by: By): string => {
  try {
    return Buffer.from(sealerOf(keyOf(by)).open(sealed, about)).toString("utf8");
  } catch {
    return openWithoutNonce(sealed, by);
  }
};

const tagLength = 16;

/**
 * Responses of earlier versions, which used a constant nonce. They live for `storedResponseHours`, and repeating a purchase
 * must not fail because the service was updated in between.
 */
const openWithoutNonce = (sealed: Uint8Array, by: By): string => {
  const decipher = createDecipheriv("aes-256-gcm", keyOf(by), Buffer.alloc(12));
  decipher.setAuthTag(sealed.subarray(-tagLength));
  return Buffer.concat([decipher.update(sealed.subarray(0, -tagLength)), decipher.final()]).toString("utf8");
};

/** The request is hashed because HKDF accepts at most 1,024 bytes of it. */
const keyOf = ({ scope, key, request }: By): Uint8Array =>
  new Uint8Array(hkdfSync("sha256", key, scope, createHash("sha256").update(request).digest(), 32));
