import { createHash } from "node:crypto";
import type { Tx } from "#app/platform/db.server.ts";
import type { Answer } from "./call.ts";
import { badRequest, StripeFailure } from "./failure.ts";
import { claimKey, findRequest, finishRequest } from "./queries.server.ts";

const idempotencyKeyHours = 24;

type KeyedRequest = { key: string | null; method: string; path: string; body: string; now: Date };

/**
 * Does the work once per key. Repeating a request with its key returns the first response, even for a declined card; a
 * repetition during the first request waits for it. A request that fails validation does not use up its key.
 *
 * @throws StripeFailure idempotency_error when the key was used for a different request
 */
export const oncePerKey = async (
  tx: Tx,
  request: KeyedRequest,
  work: () => Promise<Answer>,
): Promise<Answer & { replayed: boolean }> => {
  const { key, now } = request;
  if (key === null) return { ...(await work()), replayed: false };
  if (key.length > 255) throw badRequest("Idempotency keys may have at most 255 characters.");
  const requestHash = hashOf(request);
  const fresh = await claimKey(tx, { idempotencyKey: key, requestHash, createdAt: now }, expiryLimit(now));
  if (!fresh) return replay(tx, key, requestHash);
  const answer = await work();
  await finishRequest(tx, key, answer.status, answer.body);
  return { ...answer, replayed: false };
};

/** Keys from before this instant have expired. */
export const expiryLimit = (now: Date): Date => new Date(now.getTime() - idempotencyKeyHours * 3_600_000);

const replay = async (tx: Tx, key: string, requestHash: string): Promise<Answer & { replayed: true }> => {
  const earlier = await findRequest(tx, key);
  if (!earlier || earlier.status === null || earlier.body === null) {
    throw new StripeFailure(409, {
      type: "idempotency_error",
      code: "idempotency_key_in_use",
      message: "There is currently another in-progress request using this Idempotency Key.",
    });
  }
  if (earlier.requestHash !== requestHash) {
    throw new StripeFailure(400, {
      type: "idempotency_error",
      message:
        "Keys for idempotent requests can only be used with the same parameters they were first used with. Try using " +
        `a key other than '${key}' if you meant to execute a different request.`,
    });
  }
  return { status: earlier.status, body: earlier.body, replayed: true };
};

const hashOf = ({ method, path, body }: KeyedRequest): string =>
  createHash("sha256").update(`${method} ${path}\n${body}`).digest("hex");
