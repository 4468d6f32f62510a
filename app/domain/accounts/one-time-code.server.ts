/** Time-based one-time passwords as authenticator apps make them: RFC 6238 with SHA-1, 6 digits, steps of 30 seconds. */
import { Secret, TOTP } from "otpauth";

const parameters = { algorithm: "SHA1", digits: 6, period: 30 } as const;
/** A phone's clock may be off by a step, and people type slowly. */
const window = 1;

/** How many bytes of a secret: as long as the hash, as RFC 4226 recommends. */
export const secretBytes = 20;

/**
 * The time step of a right code, one before or after included; null for a wrong one. That a step is used once is the
 * caller's to see to.
 */
export const stepOf = (secret: Uint8Array, code: string, now: Date): number | null => {
  const timestamp = now.getTime();
  const delta = TOTP.validate({ ...parameters, secret: secretOf(secret), token: code, timestamp, window });
  return delta === null ? null : TOTP.counter({ period: parameters.period, timestamp }) + delta;
};

/** What an authenticator app wants to know: by a QR code, or typed. */
export const enrolmentOf = (secret: Uint8Array, label: string): { uri: string; typed: string } => ({
  uri: new TOTP({ ...parameters, issuer: "Shipping Route Data", label, secret: secretOf(secret) }).toString(),
  typed: secretOf(secret).base32.replace(/(.{4})(?=.)/g, "$1 "),
});

const secretOf = (bytes: Uint8Array) => new Secret({ buffer: new Uint8Array(bytes).buffer });
