/**
 * The text of an API key: `srd_live_`, 32 random bytes in base62, and a checksum. Secret scanners recognise it, and a
 * mistyped key is refused without a database query.
 *
 * @spec API key
 */
import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { checksumLength, secretLength, secretPattern, secretPrefix } from "./secret-pattern.ts";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const form = new RegExp(`^${secretPattern}$`);

/** @param random 32 bytes */
export const writeSecret = (random: Uint8Array): string => {
  const number = random.reduce((sum, byte) => sum * 256n + BigInt(byte), 0n);
  const body = secretPrefix + base62(number, secretLength);
  return body + checksum(body);
};

/** Whether prefix, length and checksum are right. */
export const isWellFormedSecret = (text: string): boolean =>
  form.test(text) && checksum(text.slice(0, -checksumLength)) === text.slice(-checksumLength);

/** The SHA-256 of a key, by which the database finds it. */
export const hashSecret = (secret: string): Buffer => hash("sha256", secret, "buffer");

/** The first characters: enough to tell keys apart, too few to guess the rest. */
export const displayPrefix = (secret: string): string => secret.slice(0, secretPrefix.length + 6);

/** Without BigInt, as it is checked for each request. */
const checksum = (text: string): string => {
  let written = "";
  for (let rest = crc32(text); rest > 0; rest = Math.floor(rest / 62)) written = digits[rest % 62] + written;
  return written.padStart(checksumLength, "0");
};

const base62 = (number: bigint, length: number): string => {
  let text = "";
  for (let rest = number; rest > 0n; rest /= 62n) text = digits[Number(rest % 62n)] + text;
  return text.padStart(length, "0");
};
