/**
 * Encrypts secrets that the database must not know in plain text, under the service's key. A sealed text names its key, so
 * that the key can be replaced while older texts still open.
 */
import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";

export type Sealer = {
  /** @param about what the secret belongs to, authenticated with it */
  seal(secret: Uint8Array, about: string): Uint8Array;
  /** @throws Error if no key fits, `about` differs, or the text was changed */
  open(sealed: Uint8Array, about: string): Uint8Array;
  /** What a text begins with that is sealed by the current key. */
  readonly mark: Uint8Array;
};

const nonceLength = 12;
const tagLength = 16;

/** Of the layout: mark, nonce, text, tag. The first layout had no mark. */
const version = 1;
const markLength = 5;

/** The version and 32 bits of the key's hash, which tell the service's few keys apart and reveal nothing about them. */
const markOf = (key: Uint8Array): Buffer =>
  Buffer.from([
    version,
    ...createHash("sha256")
      .update("key id")
      .update(key)
      .digest()
      .subarray(0, markLength - 1),
  ]);

/**
 * AES-256-GCM, a fresh nonce for each secret.
 *
 * @param key 32 bytes
 * @param previous keys that open what they have sealed, and seal nothing
 */
export const sealerOf = (key: Uint8Array, previous: readonly Uint8Array[] = []): Sealer => {
  const mark = markOf(key);
  const keys = [key, ...previous].map((bytes) => ({ bytes, mark: markOf(bytes) }));
  return {
    mark,
    seal: (secret, about) => {
      const nonce = randomBytes(nonceLength);
      const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(about));
      return Buffer.concat([mark, nonce, cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
    },
    open: (sealed, about) => {
      const named = keys.find((candidate) => candidate.mark.equals(sealed.subarray(0, markLength)));
      const marked = named ? opened(sealed.subarray(markLength), about, named.bytes) : null;
      if (marked) return marked;
      for (const { bytes } of keys) {
        const unmarked = opened(sealed, about, bytes);
        if (unmarked) return unmarked;
      }
      throw new Error("A sealed secret does not open: its key is neither SECRETS_KEY nor in SECRETS_KEY_PREVIOUS");
    },
  };
};

/** Null if the key does not fit. */
const opened = (sealed: Uint8Array, about: string, key: Uint8Array): Buffer | null => {
  if (sealed.length < nonceLength + tagLength) return null;
  const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, nonceLength))
    .setAAD(Buffer.from(about))
    .setAuthTag(sealed.subarray(-tagLength));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(nonceLength, -tagLength)), decipher.final()]);
  } catch {
    return null;
  }
};
