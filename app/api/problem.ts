/** Refusals and other errors as the API answers them. @spec Errors */
import type { Refusal } from "../domain/errors.ts";
import { statusOf } from "../platform/refusal-status.ts";

/** The body and status of an error. The wrapper adds `request_id`. */
export type Problem = {
  status: number;
  headers: Record<string, string>;
  body: { success: false; message: string; errors?: { path: string; message: string }[] };
};

export const problemOf = (refusal: Refusal): Problem => ({
  status: statusOf[refusal.code],
  headers: refusal.retryAfterSeconds === null ? {} : { "Retry-After": String(refusal.retryAfterSeconds) },
  body: {
    success: false,
    message: refusal.message,
    ...(refusal.code === "invalid" ? { errors: refusal.fields } : {}),
  },
});

/** For unexpected errors. It reveals no internal details. */
export const internalError: Problem = {
  status: 500,
  headers: {},
  body: { success: false, message: "Internal server error" },
};

/** A status of HTTP for which the domain has no word. */
export const httpProblem = (status: number, message: string, headers: Record<string, string> = {}): Problem => ({
  status,
  headers,
  body: { success: false, message },
});
