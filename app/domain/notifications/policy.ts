/** Retries of mail. */

/** With the backoff between them, about three days. */
export const maxAttempts = 20;

/** Some servers answer 5xx and accept the message a little later. */
export const maxPermanentRejections = 3;

/** Health checks count messages that have been due for longer. */
export const delayedMinutes = 15;
