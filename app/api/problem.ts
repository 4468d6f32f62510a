/** Which HTTP status a refusal becomes: the only place where statuses of errors stand. @spec Errors */
import type { Refusal, RefusalCode } from "../domain/errors.ts";

export const statusOf = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  rate_limited: 429,
  unavailable: 503,
} as const satisfies Record<RefusalCode, number>;

/** What an error says and how; `request_id` is added by the wrapper. */
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

/** The unexpected: nothing of the inside reaches the caller. */
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
