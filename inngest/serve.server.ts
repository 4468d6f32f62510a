import { getService } from "../app/context.server.ts";
import type { RefusalCode } from "../app/domain/errors.ts";
import { statusOf } from "../app/platform/refusal-status.ts";
import { bodyUpTo } from "../app/platform/request-body.server.ts";

/** Answers Inngest's signed calls; 404 if the embedded scheduler is in use. */
export const handleInngest = async (request: Request): Promise<Response> => {
  const { handleInngest: handle } = await getService();
  if (!handle) return refusal("not_found", "Path not found");
  const bounded = await boundedCopy(request);
  if (!bounded) return refusal("too_large", `The body is larger than ${longestCallBytes / 1024 / 1024} MiB`);
  try {
    return await handle({ request: bounded });
  } catch (error) {
    // The SDK parses the body before it checks the signature.
    if (error instanceof SyntaxError) return refusal("malformed", "The body is not JSON");
    throw error;
  }
};

/** Many times the longest call: our jobs take no input and return a few numbers. */
const longestCallBytes = 1024 * 1024;

/** Limits the body, as the SDK reads all of it before it checks the signature. @returns null if it is too long */
const boundedCopy = async (request: Request): Promise<Request | null> => {
  const body = await bodyUpTo(longestCallBytes, request);
  if (!body) return null;
  const { url, method, headers } = request;
  return new Request(url, { method, headers, ...(body.length > 0 ? { body } : {}) });
};

const refusal = (code: RefusalCode, message: string): Response =>
  Response.json({ success: false, message }, { status: statusOf[code] });
