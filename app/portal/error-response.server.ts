import { Refusal, type RefusalCode } from "../domain/errors.ts";
import { statusOf } from "../platform/refusal-status.ts";

/**
 * A page that does not exist for this account answers 404, one that was loaded too often 429, and one that cannot be loaded
 * at the moment 503.
 */
export const orErrorResponse = <T>(work: Promise<T>): Promise<T> =>
  refusalAsResponse(work, ["not_found", "rate_limited", "unavailable"]);

/**
 * Turns refusals with one of these codes into a thrown response, which the error page shows.
 *
 * @throws all other errors unchanged
 */
export const refusalAsResponse = async <T>(work: Promise<T>, codes: RefusalCode[]): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Refusal) || !codes.includes(error.code)) throw error;
    const fields = error.code === "invalid" ? error.fields.map(({ path, message }) => `${path}: ${message}`) : [];
    const { retryAfterSeconds } = error;
    throw new Response([error.message, ...fields].join("\n"), {
      status: statusOf[error.code],
      headers: retryAfterSeconds === null ? {} : { "Retry-After": String(retryAfterSeconds) },
    });
  }
};
