/** Recovery codes for an account whose authenticator is lost. */

export const recoveryCodeCount = 10;
/** 120 bits each, so that an unsalted hash is enough (ASVS 6.5.2 asks for 112). */
export const recoveryCodeBytes = 15;

/** Crockford's base32 alphabet, without letters that look like digits. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Such as `7k3m-x9pq-2vwd-hn5t-b8rc-4zaj`. @param bytes `recoveryCodeBytes` of them */
export const writeRecoveryCode = (bytes: Uint8Array): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const letters = bits.match(/.{5}/g)?.map((five) => alphabet[Number.parseInt(five, 2)]) ?? [];
  return letters.join("").replace(/(.{4})(?=.)/g, "$1-");
};

/** Normalises case and separators. Older codes have 16 letters. Null: this cannot be a recovery code. */
export const readRecoveryCode = (typed: string): string | null => {
  const letters = typed.toLowerCase().replace(/[\s-]/g, "").replaceAll("o", "0").replace(/[il]/g, "1");
  return /^(?:[0-9a-hjkmnp-tv-z]{16}|[0-9a-hjkmnp-tv-z]{24})$/.test(letters)
    ? letters.replace(/(.{4})(?=.)/g, "$1-")
    : null;
};
