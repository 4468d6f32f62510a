/** Time-based one-time passwords for authenticator apps: RFC 6238 with SHA-1. */
import { Secret, TOTP } from "otpauth";
import { oneTimeCode } from "./policy.ts";

const parameters = { algorithm: "SHA1", digits: oneTimeCode.digits, period: oneTimeCode.stepSeconds } as const;
/** Tolerates clock drift and slow typing. */
const window = 1;

/** As long as the hash, as RFC 4226 recommends. */
export const secretBytes = 20;

/**
 * The time step of a correct code, at most one step early or late. Null for a wrong code. The caller must ensure that
 * each step is used once.
 */
export const stepOf = (secret: Uint8Array, code: string, now: Date): number | null => {
  const timestamp = now.getTime();
  const delta = TOTP.validate({ ...parameters, secret: secretOf(secret), token: code, timestamp, window });
  return delta === null ? null : TOTP.counter({ period: parameters.period, timestamp }) + delta;
};

/** The enrolment data for an authenticator app, for a QR code or typing. */
export const enrolmentOf = (secret: Uint8Array, label: string): { uri: string; typed: string } => ({
  uri: new TOTP({ ...parameters, issuer: "Shipping Route Data", label, secret: secretOf(secret) }).toString(),
  typed: secretOf(secret).base32.replace(/(.{4})(?=.)/g, "$1 "),
});

const secretOf = (bytes: Uint8Array) => new Secret({ buffer: new Uint8Array(bytes).buffer });
