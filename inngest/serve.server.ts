import { getService } from "../app/context.server.ts";

/** Answers Inngest's signed calls; 404 where the embedded scheduler does its work. */
export const handleInngest = async (request: Request): Promise<Response> => {
  const { handleInngest: handle } = await getService();
  if (!handle) return refusal(404, "The path not found");
  try {
    return await handle({ request });
  } catch (error) {
    // The SDK reads the body before it looks at the signature.
    if (error instanceof SyntaxError) return refusal(400, "The body is no JSON");
    throw error;
  }
};

const refusal = (status: number, message: string): Response => Response.json({ success: false, message }, { status });
