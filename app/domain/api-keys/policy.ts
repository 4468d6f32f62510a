/** How long a rotated key can still work, in hours. */
export const overlapLimits = { usual: 24, most: 7 * 24 } as const;

/** The largest limit that a key can have of its own, in requests an hour. */
export const largestHourlyLimit = 1_000_000;

/** We send a reminder this long before a key expires. */
export const reminderDays = 7;

/** Addresses and networks in the list of one key. */
export const maxAllowedAddresses = 50;
