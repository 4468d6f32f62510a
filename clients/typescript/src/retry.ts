/** Which requests to repeat, and when. */
import { retryAfterOf } from "./errors.ts";
import { idempotentPosts } from "./operations.ts";

export type RetryOptions = {
  /** Attempts after the first one. Default: 4. */
  retries?: number;
  /** The longest pause, in milliseconds; if the API asks for a longer one, the error is thrown. Default: 60,000. */
  longestPauseMs?: number;
};

export type RetryPolicy = Required<RetryOptions> & {
  /** 0 to 1. */
  random: () => number;
};

const firstPauseMs = 500;

/**
 * Whether repeating the request cannot do anything twice.
 *
 * @param path of the OpenAPI document, with its parameters in braces
 */
export const isRepeatable = (method: string, path: string, headers: Headers): boolean =>
  method !== "POST" || (idempotentPosts.has(path) && headers.has("idempotency-key"));

/**
 * The pause before the next attempt, in milliseconds: as long as `Retry-After` says, or else exponential backoff with full
 * jitter. Null: the answer stands.
 *
 * @param response null if there was none
 * @param attempt 0 after the first one
 */
export const pauseBefore = (
  { retries, longestPauseMs, random }: RetryPolicy,
  response: Response | null,
  attempt: number,
  repeatable: boolean,
): number | null => {
  // A request over the limit has done nothing, whatever its method.
  const mayRepeat = response?.status === 429 || (repeatable && (response === null || response.status === 503));
  if (!mayRepeat || attempt >= retries) return null;
  const wanted = response && retryAfterOf(response);
  if (wanted === null) return random() * Math.min(longestPauseMs, firstPauseMs * 2 ** attempt);
  // Jitter, so that many clients do not come back in the same moment.
  const pause = wanted * 1000 + random() * firstPauseMs;
  return wanted * 1000 > longestPauseMs ? null : pause;
};
