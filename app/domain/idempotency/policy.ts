/** For this long a request with the same `Idempotency-Key` gets the stored response. */
export const storedResponseHours = 24;

/** In characters. */
export const longestIdempotencyKey = 255;
