/** The wrapper for JSON resources that exist in test mode only. */
import { randomUUID } from "node:crypto";
import type { LoaderFunctionArgs } from "@remix-run/node";
import { getContext, getTestService, type Service } from "../context.server.ts";
import { notFound, Refusal } from "../domain/errors.ts";
import { failureOf } from "../domain/failure.ts";
import { statusOf } from "../platform/refusal-status.ts";
import { bodyUpTo } from "../platform/request-body.server.ts";
import { bodyLimitBytes, parseJson } from "./input.ts";
import { internalError, type Problem, problemOf } from "./problem.ts";

/** @returns a value to send as JSON, or a response */
type Work = (input: {
  ctx: Service["ctx"];
  testMode: NonNullable<Service["testMode"]>;
  isLocal: boolean;
  /** The request's JSON; undefined for GET. */
  body: unknown;
}) => Promise<unknown>;

export const testModeRoute =
  (works: { GET?: Work; POST?: Work }) =>
  async ({ request }: LoaderFunctionArgs): Promise<Response> => {
    const ctx = await getContext();
    try {
      const service = await getTestService(request);
      if (!service) throw notFound("Path");
      const { config, testMode } = service;
      const method = request.method === "HEAD" ? "GET" : request.method;
      const work = method === "GET" ? works.GET : method === "POST" ? works.POST : undefined;
      if (!work) throw new Refusal("method_not_allowed", `Use ${Object.keys(works).join(" or ")}`);
      const body = method === "GET" ? undefined : await readJson(request);
      const answer = await work({ ctx, testMode, isLocal: config.isLocal, body });
      if (!(answer instanceof Response)) return Response.json(answer, { headers });
      for (const [name, value] of Object.entries(headers)) answer.headers.set(name, value);
      return answer;
    } catch (error) {
      const { kind, refusal } = failureOf(error);
      if (kind === "client_gone") return new Response(null, { status: statusOf.malformed });
      const problem = refusal ? problemOf(refusal, ctx.settings.appUrl) : internalError;
      const requestId = randomUUID();
      const facts = { request_id: requestId, failure: kind };
      if (problem.status >= 500) ctx.log.error("A test-mode request failed", facts, error);
      return problemResponse(problem, requestId, Object.keys(works));
    }
  };

const headers = { "Cache-Control": "no-store" };

/** JSON only: a page of another site cannot send that without a CORS preflight. */
const readJson = async (request: Request): Promise<unknown> => {
  const bytes = await bodyUpTo(bodyLimitBytes, request);
  if (!bytes) throw new Refusal("too_large", "The body is too large");
  return parseJson(request.headers.get("content-type"), bytes);
};

const problemResponse = ({ status, headers: more, body }: Problem, requestId: string, allowed: string[]): Response =>
  Response.json(
    { ...body, request_id: requestId },
    {
      status,
      headers: {
        ...headers,
        ...more,
        "X-Request-Id": requestId,
        ...(status === statusOf.method_not_allowed ? { Allow: allowed.join(", ") } : {}),
      },
    },
  );
