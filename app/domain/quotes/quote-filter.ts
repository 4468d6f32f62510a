/** Filters for an operator's list of quotes. */
import { z } from "zod";
import { quoteStatuses } from "./enums.ts";

export const quoteFilter = z.object({
  /** Part of a username or e-mail address, or the number of a quote. */
  q: z.string().trim().max(120).optional(),
  status: z.enum(quoteStatuses).optional(),
});

export type QuoteFilter = z.output<typeof quoteFilter>;
