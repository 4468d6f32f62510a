import type { Tx } from "#app/platform/db.server.ts";
import type { Answer } from "./call.ts";
import { badRequest } from "./failure.ts";
import { findBody } from "./queries.server.ts";

type Body = Record<string, unknown>;

/**
 * Replaces ids with their objects, as `expand[]` requests: `latest_charge`, `latest_charge.payment_intent`, and
 * `data.latest_charge` in lists.
 */
export const expandAnswer = async (tx: Tx, answer: Answer, paths: string[]): Promise<Answer> => {
  if (answer.status !== 200) return answer;
  let body = answer.body;
  for (const path of paths) body = await expandPath(tx, body, path.split("."), path);
  return { ...answer, body };
};

const expandPath = async (tx: Tx, body: Body, [name, ...rest]: string[], path: string): Promise<Body> => {
  if (name === undefined) return body;
  if (!(name in body)) throw badRequest(`This property cannot be expanded (${path}).`, { param: "expand" });
  return { ...body, [name]: await expandValue(tx, body[name], rest, path) };
};

const expandValue = async (tx: Tx, value: unknown, rest: string[], path: string): Promise<unknown> => {
  if (value === null) return null;
  if (Array.isArray(value)) return Promise.all(value.map((item) => expandValue(tx, item, rest, path)));
  const object = typeof value === "string" ? await findBody(tx, value) : value;
  if (typeof object !== "object" || object === null) {
    throw badRequest(`This property cannot be expanded (${path}).`, { param: "expand" });
  }
  return expandPath(tx, object as Body, rest, path);
};
