/** The API's response when everything else has failed. */
import { randomUUID } from "node:crypto";
import { systemClock } from "../domain/clock.ts";
import { jsonLog } from "../platform/log.server.ts";
import { answerHeaders } from "./answer-headers.ts";
import { uncounted } from "./count-request.server.ts";
import { internalError } from "./problem.ts";
import type { ApiResponse } from "./serve.server.ts";

/** The response if the wrapper or an adapter fails. It is not counted, as the rate limiter may be what failed. */
export const crashAnswer = (error: unknown): ApiResponse => {
  const requestId = randomUUID();
  const now = systemClock.now();
  jsonLog().error("An API request failed", { request_id: requestId }, error);
  return {
    status: internalError.status,
    headers: answerHeaders(requestId, uncounted(now), now),
    body: JSON.stringify({ ...internalError.body, request_id: requestId }),
  };
};
