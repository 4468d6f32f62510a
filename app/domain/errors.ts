/**
 * The closed list of words with which the domain refuses. `app/platform/refusal-status.ts` maps each to its HTTP status.
 * Whatever is not a Refusal is a fault of ours.
 *
 * @spec Errors
 */
export const refusalCodes = [
  "malformed", // cannot be read at all: broken JSON, a broken header
  "unauthenticated", // no credentials, or wrong ones
  "forbidden", // known, and not entitled
  "not_found", // absent, or somebody else's: both look the same
  "method_not_allowed",
  "conflict", // possible in general, not in the present state
  "too_large",
  "unsupported_media_type",
  "invalid", // readable, and against the rules; `fields` says where
  "rate_limited",
  "unavailable", // the database or the payment provider is away
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

/** One broken rule: `path` names the field with dots (`items.0.period_id`), `message` says what to do. */
export type FieldError = { path: string; message: string };

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: RefusalCode;
  readonly fields: FieldError[];
  /** Seconds; for `rate_limited` and `unavailable`. */
  readonly retryAfterSeconds: number | null;

  constructor(code: RefusalCode, message: string, more: { fields?: FieldError[]; retryAfterSeconds?: number } = {}) {
    super(message);
    this.code = code;
    this.fields = more.fields ?? [];
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
  }
}

export const unauthenticated = () => new Refusal("unauthenticated", "Invalid or missing authentication");
export const forbidden = () => new Refusal("forbidden", "Insufficient permissions");
export const notFound = (what: string) => new Refusal("not_found", `${what} not found`);
export const conflict = (message: string) => new Refusal("conflict", message);

/** A rule of one field, broken. */
export const invalid = (path: string, message: string) =>
  new Refusal("invalid", message, { fields: [{ path, message }] });
