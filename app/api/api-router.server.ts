/**
 * The API behind node:http. It matches paths against the contracts and bypasses Remix (see docs/decisions/0004-two-adapters.md).
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { answerNode, type Core } from "./adapters.server.ts";
import { type ApiAction, apiRoute } from "./api-route.server.ts";
import { hasParams } from "./path-template.ts";

type RouteModule = { action?: unknown };

/** @param modules all route modules of the build; those that are no `apiRoute` are ignored */
export const apiHandler = (modules: RouteModule[]): ((req: IncomingMessage, res: ServerResponse) => Promise<void>) => {
  const find = apiRouter(modules);
  return (req, res) => answerNode(find, req, res);
};

/** @returns what answers a path below `/api`; literal paths win over those with parameters */
export const apiRouter = (modules: RouteModule[]): ((path: string) => Core) => {
  const actions = modules.map(({ action }) => action).filter(isApiAction);
  const literal = new Map<string, Core>();
  const withParams: ApiAction[] = [];
  for (const action of actions) {
    if (action.path === null) continue;
    if (hasParams(action.path)) withParams.push(action);
    else literal.set(action.path, action.matched({}));
  }
  const unknownPath = apiRoute().matched(null);
  const findByParams = (path: string): Core | null => {
    for (const action of withParams) {
      const params = action.match(path);
      if (params) return action.matched(params);
    }
    return null;
  };
  return (path) => literal.get(path) ?? findByParams(path) ?? unknownPath;
};

const isApiAction = (action: unknown): action is ApiAction => typeof action === "function" && "matched" in action;
