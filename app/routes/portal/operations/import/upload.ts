import type { ActionFunctionArgs } from "@remix-run/node";
import { receiveUpload } from "./receive-upload.server.ts";

/** The upload of the page's script, which shows its progress. Answers `{ result, problem }` as JSON. */
export const action = async (args: ActionFunctionArgs) => {
  const answer = await receiveUpload(args);
  // Remix drops the status of `data` in a route without a page.
  return "result" in answer ? answer : Response.json(answer.data, answer.init ?? undefined);
};
