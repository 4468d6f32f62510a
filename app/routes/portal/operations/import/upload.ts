import type { ActionFunctionArgs } from "@remix-run/node";
import { receiveUpload } from "./receive-upload.server.ts";

/** The upload of the page's script, which shows its progress. Answers `{ result, problem }` as JSON. */
export const action = (args: ActionFunctionArgs) => receiveUpload(args);
