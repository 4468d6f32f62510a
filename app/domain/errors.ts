/**
 * The closed list of codes with which the domain refuses a request. `app/platform/refusal-status.ts` maps them to HTTP
 * statuses; no other file does. Any other error that a verb throws is a bug or an outage; see `failure.ts`.
 *
 * @spec Errors
 */
export const refusalCodes = [
  "malformed", // cannot be parsed: broken JSON, a broken header
  "unauthenticated", // no credentials, or wrong ones
  "forbidden", // authenticated, but not entitled
  "not_found", // does not exist or belongs to another account; the caller cannot tell which
  "method_not_allowed",
  "conflict", // not possible in the current state
  "gone", // was there, and has been deleted
  "too_large",
  "unsupported_media_type",
  "invalid", // parsed, but breaks a rule; `fields` says where
  "rate_limited",
  "unavailable", // the database or the payment provider cannot be reached
] as const;

export type RefusalCode = (typeof refusalCodes)[number];

/** One validation error. `path` is the field in dot notation (`items.0.period_id`), `message` says what to do. */
export type FieldError = { path: string; message: string };

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: RefusalCode;
  readonly fields: FieldError[];
  /** In seconds. Set for `rate_limited` and `unavailable`. */
  readonly retryAfterSeconds: number | null;
  /** The path of the portal's page that requests a quote for what was refused. Null: sales cannot help. */
  readonly salesPath: string | null;
  /** The cursor from which a reader of changes continues. Set for `gone`. */
  readonly nextCursor: string | null;

  constructor(
    code: RefusalCode,
    message: string,
    more: { fields?: FieldError[]; retryAfterSeconds?: number; salesPath?: string; nextCursor?: string } = {},
  ) {
    super(message);
    this.code = code;
    this.fields = more.fields ?? [];
    this.retryAfterSeconds = more.retryAfterSeconds ?? null;
    this.salesPath = more.salesPath ?? null;
    this.nextCursor = more.nextCursor ?? null;
  }
}

/** A portal session whose holder has to confirm their identity first. The portal asks for it and returns. */
export class ProofRequired extends Refusal {
  constructor() {
    super("forbidden", "Confirm that it is you, then try again");
  }
}

/** An operator without a second factor. The portal leads to the page that sets one up. */
export class SecondFactorRequired extends Refusal {
  constructor() {
    super("forbidden", "Operators need two-factor sign-in. Set it up first");
  }
}

export const unauthenticated = () => new Refusal("unauthenticated", "Invalid or missing authentication");
export const forbidden = () => new Refusal("forbidden", "Insufficient permissions");
export const notFound = (what: string) => new Refusal("not_found", `${what} not found`);
export const conflict = (message: string) => new Refusal("conflict", message);

/** A refusal because of a single field. */
export const invalid = (path: string, message: string) =>
  new Refusal("invalid", message, { fields: [{ path, message }] });
