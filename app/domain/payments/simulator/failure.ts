/** An error in the format of Stripe's API: the `error` member of the response. */
export type StripeError = {
  type: "invalid_request_error" | "card_error" | "idempotency_error" | "api_error";
  message: string;
  code?: string;
  param?: string;
  decline_code?: string;
  /** Other members, such as the intent that could not be confirmed. */
  [member: string]: unknown;
};

export class StripeFailure extends Error {
  override readonly name = "StripeFailure";
  readonly status: number;
  readonly error: StripeError;

  constructor(status: number, error: StripeError) {
    super(error.message);
    this.status = status;
    this.error = error;
  }
}

export const badRequest = (message: string, more: { code?: string; param?: string; [member: string]: unknown } = {}) =>
  new StripeFailure(400, { type: "invalid_request_error", message, ...more });

export const missingParam = (param: string) =>
  badRequest(`Missing required param: ${param}.`, { code: "parameter_missing", param });

/** `status` is 404 when the URL names the object and 400 when a parameter does. */
export const noSuch = (kind: string, id: string, param: string, status: 400 | 404 = 400) =>
  new StripeFailure(status, {
    type: "invalid_request_error",
    code: "resource_missing",
    message: `No such ${kind}: '${id}'`,
    param,
  });

export const cardFailure = (code: string, message: string, more: { param?: string; decline_code?: string } = {}) =>
  new StripeFailure(402, { type: "card_error", code, message, ...more });
