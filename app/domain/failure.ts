/**
 * Classifies errors. API, portal, webhooks and jobs all use this classification and differ only in how they report it.
 */
import { ClientGone } from "../platform/client-gone.ts";
import { type Trouble, troubleOf } from "../platform/database-trouble.ts";
import { Refusal } from "./errors.ts";

export type Failure =
  /** The domain refused the request. */
  | { kind: "refused"; refusal: Refusal }
  /** Stripe did not answer. */
  | { kind: "provider_away"; refusal: Refusal }
  /** If the work was a write, it may or may not have been committed. */
  | { kind: `database_${Trouble}`; refusal: Refusal }
  /** The client has disconnected, so no response is needed. */
  | { kind: "client_gone"; refusal: null }
  | { kind: "bug"; refusal: null };

export const failureOf = (error: unknown): Failure => {
  if (error instanceof Refusal) {
    return { kind: error.code === "unavailable" ? "provider_away" : "refused", refusal: error };
  }
  if (error instanceof ClientGone) return { kind: "client_gone", refusal: null };
  const trouble = troubleOf(error);
  if (trouble === null) return { kind: "bug", refusal: null };
  const { message, retryAfterSeconds } = troubles[trouble];
  return { kind: `database_${trouble}`, refusal: new Refusal("unavailable", message, { retryAfterSeconds }) };
};

const troubles: Record<Trouble, { message: string; retryAfterSeconds: number }> = {
  away: { message: "The service is temporarily unavailable; try again shortly", retryAfterSeconds: 5 },
  full: { message: "The service is out of storage or memory; try again in a minute", retryAfterSeconds: 60 },
  read_only: { message: "The service cannot save changes at the moment; try again shortly", retryAfterSeconds: 15 },
  busy: { message: "The service is busy; try again in a moment", retryAfterSeconds: 1 },
};
