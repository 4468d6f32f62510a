/** Lengths and lifetimes of what people sign in with. @spec Authentication */

/** Absolute: use does not extend it. */
export const bearerHours = 24;

/** Sliding: each use extends it, up to the absolute limit. */
export const portalSessionDays = 30;

/** Absolute: after this, even a session in daily use ends. OWASP ASVS 5.0, V7.3, asks for both limits. */
export const portalSessionMaxDays = 90;

/** The same for operators, who see the data of all accounts: a working day (NIST SP 800-63B, AAL2). */
export const operatorSessionHours = 12;

/** How long after a sign-in the most sensitive actions need no new proof of who is there. */
export const recentProofMinutes = 15;

/** In characters. */
export const passwordLength = { min: 12, max: 128 } as const;

/**
 * A password that takes an attacker fewer guesses is rejected: 10^8 is what an online attack reaches at best, where zxcvbn's
 * scale begins to call a password safe.
 */
export const leastGuesses = 1e8;

/** A browser is known for this long after its last sign-in. */
export const knownDeviceDays = 180;

/** How long a mailed link confirms an e-mail address. */
export const emailLinkHours = 24;

/** How long a mailed link resets the password. */
export const passwordResetMinutes = 60;

/** How long a browser may take to answer with a passkey. */
export const passkeyChallengeMinutes = 5;

/** Of one account: more than anybody's devices and security keys. */
export const maxPasskeys = 20;

/** In characters. */
export const passkeyNameLength = 60;

/** Between a correct password and the code of the second factor. */
export const challengeMinutes = 10;

/** Limits how long the secret of a new second factor stays visible in a browser left open. */
export const enrolmentMinutes = 15;

/** The account holder is told that somebody knows the password after this many wrong codes in a row, at most once a day. */
export const wrongCodesToReport = 5;

/**
 * From this many wrong codes in a row on, each is followed by a pause: 1, 2, 4, 8, 16 hours, then a day. With 20 attempts an hour
 * without an end, a code would be guessed within two years; with the pauses, the chance is one in 900 a year. Recovery codes have no
 * pause, as nobody can guess them, and a new password ends it.
 */
export const wrongCodesToPause = 20;
export const longestCodePauseHours = 24;

/** Wrong codes are forgotten this long after the last one. */
export const wrongCodesKeptDays = 30;

/** One-time codes are those of RFC 6238. A step is how long a code is shown. */
export const oneTimeCode = { digits: 6, stepSeconds: 30 } as const;
