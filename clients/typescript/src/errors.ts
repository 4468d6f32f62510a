import type { components } from "./schema.ts";

type Problem = components["schemas"]["Problem"];

/** An error that the API answered with. Decide by `status`; `message` is written for people. */
export class ApiError extends Error {
  override readonly name: string = "ApiError";
  readonly status: number;
  /** For 422: which fields broke which rule. */
  readonly errors: readonly { path: string; message: string }[];
  /** Include it when you contact support. */
  readonly requestId: string | null;
  /** For 429 and 503: how long the API asks to wait. */
  readonly retryAfterSeconds: number | null;

  constructor(response: Response, problem: Partial<Problem>) {
    super(problem.message ?? `The API answered ${response.status}`);
    this.status = response.status;
    this.errors = problem.errors ?? [];
    this.requestId = problem.request_id ?? response.headers.get("x-request-id");
    this.retryAfterSeconds = retryAfterOf(response);
  }
}

/** The API could not be reached, or did not answer in time. `cause` says why. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
}

export const retryAfterOf = (response: Response): number | null => {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
};
