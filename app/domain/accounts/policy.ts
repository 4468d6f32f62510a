/** Lengths and lifetimes of what people sign in with. @spec Authentication */

/** Absolute: use does not extend it. */
export const bearerHours = 24;

/** Sliding: each use extends it. */
export const portalSessionDays = 30;

/** In characters. */
export const passwordLength = { min: 12, max: 128 } as const;

/** How long a mailed link confirms an e-mail address. */
export const emailLinkHours = 24;
