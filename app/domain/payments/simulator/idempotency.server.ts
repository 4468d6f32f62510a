import { createHash } from "node:crypto";
import type { Tx } from "#app/platform/db.server.ts";
import type { Answer } from "./call.ts";
import { badRequest, StripeFailure } from "./failure.ts";
import { claimKey, findRequest, finishRequest } from "./queries.server.ts";

const idempotencyKeyHours = 24;

type KeyedRequest = { key: string | null; method: string; path: string; body: string; now: Date };

/**
 * Does the work once per key. The same request with the same key gets the first one's answer, declined cards included;
 * one that comes while the first still runs waits for it. What failed validation is not remembered.
 *
 * @throws StripeFailure idempotency_error when the key was used for another request
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
  const fresh = await claimKey(tx, { idempotencyKey: key, requestHash, createdAt: now }, lapseLimit(now));
  if (!fresh) return replay(tx, key, requestHash);
  const answer = await work();
  await finishRequest(tx, key, answer.status, answer.body);
  return { ...answer, replayed: false };
};

/** Keys from before this moment may be used anew. */
export const lapseLimit = (now: Date): Date => new Date(now.getTime() - idempotencyKeyHours * 3_600_000);

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
