/** Refusals and other errors as API responses. @spec Errors */
import type { Refusal } from "../domain/errors.ts";
import { statusOf } from "../platform/refusal-status.ts";

/** The body and status of an error. The wrapper adds `request_id`. */
export type Problem = {
  status: number;
  headers: Record<string, string>;
  body: {
    success: false;
    message: string;
    errors?: { path: string; message: string }[];
    sales_url?: string;
    next_cursor?: string;
  };
};

/** @param appUrl the site's address, for links into the portal */
export const problemOf = (refusal: Refusal, appUrl: string): Problem => ({
  status: statusOf[refusal.code],
  headers: refusal.retryAfterSeconds === null ? {} : { "Retry-After": String(refusal.retryAfterSeconds) },
  body: {
    success: false,
    message: refusal.message,
    ...(refusal.code === "invalid" || refusal.fields.length > 0 ? { errors: refusal.fields } : {}),
    ...(refusal.nextCursor === null ? {} : { next_cursor: refusal.nextCursor }),
    ...(refusal.salesPath === null ? {} : { sales_url: `${appUrl}${refusal.salesPath}` }),
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
