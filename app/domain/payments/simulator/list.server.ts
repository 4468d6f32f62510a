import { type Answer, type Call, ok } from "./call.ts";
import { badRequest, noSuch } from "./failure.ts";
import type { Kind } from "./objects.ts";
import { findBody, listObjects } from "./queries.server.ts";

/** Stripe's list of objects of one kind, newest first, with `limit` and `starting_after`. */
export const answerList = async (call: Call, kind: Kind, url: string, parentId?: string): Promise<Answer> => {
  const { tx, params } = call;
  const limit = params.integer("limit") ?? 10;
  if (limit < 1 || limit > 100) {
    throw badRequest(`Invalid limit: ${limit}. It must be between 1 and 100.`, { param: "limit" });
  }
  const after = params.text("starting_after");
  if (after !== undefined && !(await findBody(tx, after))) throw noSuch(kind, after, "starting_after");
  const found = await listObjects(tx, kind, { parentId, type: params.text("type"), after, limit });
  return ok({ object: "list", data: found.slice(0, limit), has_more: found.length > limit, url });
};
