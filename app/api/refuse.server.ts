/** Responses below `/api` to requests that the server refuses before routing, in the format of all API errors. */
import type { Handlers } from "../platform/http-server.server.ts";
import { adapt, askUnread } from "./adapters.server.ts";
import { refuseWith } from "./api-route.server.ts";
import { httpProblem } from "./problem.ts";

export const refuseApi: Handlers["refuseApi"] = ({ status, message, headers }, req, res) =>
  adapt(refuseWith(httpProblem(status, message, headers))).node(req, res);

export const refuseUnreadApi: Handlers["refuseUnreadApi"] = ({ status, message, headers }, request) =>
  askUnread(refuseWith(httpProblem(status, message, headers)), request);
