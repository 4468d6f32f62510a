/** Filters for an operator's list of requests. */
import { z } from "zod";
import { supportStatuses } from "./enums.ts";
import { supportTopic } from "./request.ts";

export const requestFilter = z.object({
  /** Part of a subject, message, username or e-mail address, or the number of a request. */
  q: z.string().trim().max(120).optional(),
  status: z.enum(supportStatuses).optional(),
  topic: supportTopic.optional(),
});

export type RequestFilter = z.output<typeof requestFilter>;
