/** How the server answers below `/api` what it refuses before an endpoint is found: as every other answer there. */
import type { Handlers } from "../platform/http-server.server.ts";
import { adapt, askUnread } from "./adapters.server.ts";
import { refuseWith } from "./api-route.server.ts";
import { httpProblem } from "./problem.ts";

export const refuseApi: Handlers["refuseApi"] = ({ status, message, headers }, req, res) =>
  adapt(refuseWith(httpProblem(status, message, headers))).node(req, res);

export const refuseUnreadApi: Handlers["refuseUnreadApi"] = ({ status, message, headers }, request) =>
  askUnread(refuseWith(httpProblem(status, message, headers)), request);
