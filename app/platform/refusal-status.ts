/** The HTTP status of every refusal, for the API, the portal and the webhooks. @spec Errors */
import type { RefusalCode } from "../domain/errors.ts";

export const statusOf = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  rate_limited: 429,
  unavailable: 503,
} as const satisfies Record<RefusalCode, number>;

/**
 * The status of a form that is shown again with its problem. Two codes differ from the API: a wrong password is an error
 * in a field and no missing credential (401 needs a `WWW-Authenticate` challenge), and a conflict is shown in the form
 * like any other problem with what was entered.
 */
export const formStatusOf = {
  ...statusOf,
  unauthenticated: statusOf.invalid,
  conflict: statusOf.invalid,
} as const satisfies Record<RefusalCode, number>;
