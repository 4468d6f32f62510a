import { Refusal } from "../domain/errors.ts";

/** Rate-limited work: tells people when to try again, rather than that a limit was exceeded. */
export const withRetryHint = async <T>(work: Promise<T>): Promise<T> => {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== "rate_limited") throw error;
    // A refusal that says itself what to do.
    if (error.message.startsWith("Too many wrong codes")) throw error;
    const wait = error.retryAfterSeconds === 1 ? "Wait a moment" : "Wait until the next full hour";
    throw new Refusal("rate_limited", `Too many attempts. ${wait}, then try again`, {
      retryAfterSeconds: error.retryAfterSeconds ?? 1,
    });
  }
};
