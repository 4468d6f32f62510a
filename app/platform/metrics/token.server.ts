import { createHash, timingSafeEqual } from "node:crypto";

/** Compares in constant time: hashes have one length, whatever was sent. */
export const bearerIs = (token: string, authorization: string | null | undefined): boolean => {
  const [, sent = ""] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
  return timingSafeEqual(hashOf(sent), hashOf(token));
};

const hashOf = (text: string) => createHash("sha256").update(text).digest();
