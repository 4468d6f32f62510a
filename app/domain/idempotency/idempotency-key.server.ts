/**
 * `Idempotency-Key` support: repeating a request with the same key returns the stored response, for `storedResponseHours`.
 * Only successful responses are stored. A refused request has changed nothing, so its key can be used again.
 */
import { createHash } from "node:crypto";
import { asRequest } from "../../platform/time-budget.server.ts";
import type { Context } from "../context.ts";
import { conflict, invalid, Refusal } from "../errors.ts";
import { failureOf } from "../failure.ts";
import { longestIdempotencyKey, storedResponseHours } from "./policy.ts";
import * as queries from "./queries.server.ts";
import { open, seal } from "./sealed.server.ts";

export type StoredResponse = { status: number; headers: Record<string, string>; body: string };

export type KeyedRequest = {
  /** Who the key belongs to: `account:12`, `ip:203.0.113.7`. */
  scope: string;
  key: string;
  endpoint: string;
  /** Everything that identifies the request, as text. The same key with a different request is refused. */
  request: string;
};

/** A request still in flight after this long is treated as abandoned: its process has died. */
const secondsInFlight = 90;

/**
 * @throws malformed for a malformed key
 * @throws conflict while the first request is in flight
 * @throws invalid when the key was used for a different request
 */
export const withIdempotencyKey = async (
  ctx: Pick<Context, "db" | "clock">,
  keyed: KeyedRequest,
  work: () => Promise<StoredResponse>,
): Promise<StoredResponse> => {
  if (!/^[\x21-\x7e]+$/.test(keyed.key) || keyed.key.length > longestIdempotencyKey) {
    throw new Refusal(
      "malformed",
      `Idempotency-Key must be 1 to ${longestIdempotencyKey} printable ASCII characters without spaces`,
    );
  }
  const now = ctx.clock.now();
  const claim = {
    scope: keyed.scope,
    keyHash: sha256(keyed.key),
    endpoint: keyed.endpoint,
    requestHash: sha256(keyed.request),
    createdAt: now,
  };
  const limits = {
    keptSince: secondsBefore(now, storedResponseHours * 3600),
    inFlightSince: secondsBefore(now, secondsInFlight),
  };
  if (!(await queries.claim(ctx.db, claim, limits))) return replay(ctx, keyed, claim);
  let response: StoredResponse;
  try {
    response = await work();
  } catch (error) {
    // The write may have been committed before the connection was lost: keep the claim, so that it is not repeated at once.
    if (failureOf(error).kind !== "database_away") await release(ctx, claim).catch(() => {});
    throw error;
  }
  if (response.status < 300) await queries.keep(ctx.db, claim, seal(JSON.stringify(response), keyed));
  else await release(ctx, claim);
  return response;
};

/** Its own budget, as the request may have used up its time. */
const releaseMs = 1_000;
const release = (ctx: Pick<Context, "db">, claim: Parameters<typeof queries.release>[1]) =>
  asRequest(() => queries.release(ctx.db, claim), releaseMs);

/** Deletes the responses that are past their retention. @returns how many */
export const deleteExpiredResponses = (ctx: Pick<Context, "db" | "clock">): Promise<number> =>
  queries.deleteOlder(ctx.db, secondsBefore(ctx.clock.now(), storedResponseHours * 3600));

const replay = async (
  ctx: Pick<Context, "db">,
  keyed: KeyedRequest,
  claim: { scope: string; keyHash: string; endpoint: string; requestHash: string },
): Promise<StoredResponse> => {
  const first = await queries.find(ctx.db, claim);
  if (first && (first.requestHash !== claim.requestHash || first.endpoint !== claim.endpoint)) {
    throw invalid("Idempotency-Key", "This Idempotency-Key was used for a different request. Use a new key");
  }
  if (!first?.sealedResponse) throw conflict("The first request with this Idempotency-Key is still running");
  const response = JSON.parse(open(first.sealedResponse, keyed)) as StoredResponse;
  return { ...response, headers: { ...response.headers, "Idempotency-Replayed": "true" } };
};

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const secondsBefore = (now: Date, seconds: number): Date => new Date(now.getTime() - seconds * 1000);
