/**
 * The text of an API key: `srd_live_`, 32 random bytes in base62, and a checksum, so that secret scanners know it
 * and a mistyped key is refused without asking the database.
 *
 * @spec API key
 */
import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";

const prefix = "srd_live_";
const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 62^43 > 2^256. */
const secretLength = 43;
const checksumLength = 6;
const form = new RegExp(`^${prefix}[0-9A-Za-z]{${secretLength + checksumLength}}$`);

/** @param random 32 bytes */
export const writeSecret = (random: Uint8Array): string => {
  const number = random.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const body = prefix + base62(number, secretLength);
  return body + checksum(body);
};

/** Whether a text can be a key at all. */
export const isWellFormedSecret = (text: string): boolean =>
  form.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);

/** What the database knows a key by. */
export const hashSecret = (secret: string): Uint8Array => createHash("sha256").update(secret).digest();

/** Enough to tell keys apart, too little to guess the rest. */
export const displayPrefix = (secret: string): string => secret.slice(0, prefix.length + 6);

const checksum = (text: string): string => base62(BigInt(crc32(text)), checksumLength);

const base62 = (number: bigint, length: number): string => {
  let text = "";
  for (let rest = number; rest > 0n; rest /= 62n) text = digits[Number(rest % 62n)] + text;
  return text.padStart(length, "0");
};
