/** Limits and times of webhooks. Contracts, pages and the guide take their figures from here. */

/** The PostgreSQL channel that says that deliveries are due. */
export const webhookChannel = "webhooks";

export const maxEndpoints = 10;
export const longestUrl = 2_000;
export const longestDescription = 100;

/** Of a message's body. Data that does not fit is read from the API instead. */
export const largestPayloadBytes = 16 * 1024;

/** The whole exchange: name resolution, connection, TLS, request and response. */
export const timeoutSeconds = 10;
/** More of a response is not read. */
export const largestResponseBytes = 4 * 1024;
/** What the delivery log keeps of a response, in characters. */
export const excerptLength = 1_000;

/** Minutes between an attempt and the next: three days in all. */
export const retryMinutes = [1, 5, 24, 90, 4 * 60, 6 * 60, 12 * 60, 24 * 60, 24 * 60] as const;
/** Each delay is longer by a random part of this, so that messages that failed together do not return together. */
export const jitterPercent = 10;
/** A longer Retry-After is cut to this. */
export const longestRetryAfterMinutes = 24 * 60;

/** An endpoint without a success for so long is disabled at its next failure. */
export const disabledAfterHours = 72;

/** How long the secret before a rotation still signs. */
export const rotationHours = 24;

/** How long messages and their deliveries are kept. */
export const retentionDays = 30;

export const secretBytes = 32;

/** Receivers refuse older messages. */
export const toleranceMinutes = 5;
