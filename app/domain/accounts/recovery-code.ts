/** Codes that open an account whose authenticator is lost. Pure. */

export const recoveryCodeCount = 10;
/** 80 bits each: a hash without salt is enough to keep them. */
export const recoveryCodeBytes = 10;

/** Crockford's alphabet: no letter that looks like a digit. */
const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** `7k3m-x9pq-2vwd-hn5t`. @param bytes ten of them */
export const writeRecoveryCode = (bytes: Uint8Array): string => {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const letters = bits.match(/.{5}/g)?.map((five) => alphabet[Number.parseInt(five, 2)]) ?? [];
  return letters.join("").replace(/(.{4})(?=.)/g, "$1-");
};

/** As it was written, whatever case and spaces it was typed with; null: it cannot be one. */
export const readRecoveryCode = (typed: string): string | null => {
  const letters = typed.toLowerCase().replace(/[\s-]/g, "").replaceAll("o", "0").replace(/[il]/g, "1");
  return /^[0-9a-hjkmnp-tv-z]{16}$/.test(letters) ? letters.replace(/(.{4})(?=.)/g, "$1-") : null;
};
