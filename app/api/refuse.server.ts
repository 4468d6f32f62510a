/** How the server answers below `/api` what it refuses before an endpoint is found: as every other answer there. */
import type { Handlers } from "../platform/http-server.server.ts";
import { askUnread } from "./adapters.server.ts";
import { refusingApiRoute } from "./api-route.server.ts";
import { httpProblem } from "./problem.ts";

export const refuseApi: Handlers["refuseApi"] = ({ status, message, headers }, req, res) =>
  refusingApiRoute(httpProblem(status, message, headers)).node(req, res);

export const refuseUnreadApi: Handlers["refuseUnreadApi"] = ({ status, message, headers }, request) =>
  askUnread(refusingApiRoute(httpProblem(status, message, headers)), request);
