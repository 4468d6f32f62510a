/** Encrypts secrets that the database must not know in plain text, under the service's key. */
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

export type Sealer = {
  /** @param about what the secret belongs to, authenticated with it */
  seal(secret: Uint8Array, about: string): Uint8Array;
  /** @throws Error if key or `about` differ, or the text was changed */
  open(sealed: Uint8Array, about: string): Uint8Array;
};

const nonceLength = 12;
const tagLength = 16;

/** AES-256-GCM, a fresh nonce for each secret. @param key 32 bytes */
export const sealerOf = (key: Uint8Array): Sealer => ({
  seal: (secret, about) => {
    const nonce = randomBytes(nonceLength);
    const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(about));
    return Buffer.concat([nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  },
  open: (sealed, about) => {
    const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceLength))
      .setAAD(Buffer.from(about))
      .setAuthTag(sealed.subarray(-tagLength));
    return Buffer.concat([decipher.update(sealed.subarray(nonceLength, -tagLength)), decipher.final()]);
  },
});
