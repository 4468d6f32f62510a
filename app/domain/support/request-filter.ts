/** Which requests an operator looks for. */
import { z } from "zod";
import { supportStatuses } from "./enums.ts";
import { supportTopic } from "./request.ts";

export const requestFilter = z.object({
  /** Part of a subject, a message, a username or an e-mail address, or a request's number. */
  q: z.string().trim().max(120, "At most 120 characters").optional(),
  status: z.enum(supportStatuses).optional(),
  topic: supportTopic.optional(),
});

export type RequestFilter = z.output<typeof requestFilter>;
