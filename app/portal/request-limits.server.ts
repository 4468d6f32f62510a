/** Limits for pages that cost much: documents drawn for one reader, and searches. */

import { overLimit } from "../domain/rate-limit/charge.ts";
import type { Budget } from "../domain/rate-limit/limiter.ts";
import { addressSubjectOf, subjectOf } from "../domain/rate-limit/policy.ts";
import { orErrorResponse } from "./error-response.server.ts";
import type { Visit } from "./session.server.ts";

/** Drawing a PDF takes about a tenth of a second of one core, and the catalogue as a file reads all of it. */
const documents: Budget = { hourly: 300, burst: 10 };
/** The search field asks while it is typed in, and many visitors share the address of a company's gateway. */
const searches: Budget = { hourly: 10_000, burst: 100 };

/** @throws 429 with Retry-After */
export const countDocument = (visit: Visit): Promise<void> => orErrorResponse(count(visit, "documents", documents));

/** @throws 429 with Retry-After */
export const countSearch = (visit: Visit): Promise<void> => orErrorResponse(count(visit, "searches", searches));

/** By account; visitors by address. */
const count = async ({ ctx, caller, origin }: Visit, of: string, budget: Budget): Promise<void> => {
  const now = ctx.clock.now();
  const subject = caller ? subjectOf(caller.account) : addressSubjectOf(origin.ipAddress);
  const verdict = await ctx.rateLimiter.take(`${of}:${subject}`, budget, now);
  if (verdict.refusedBy !== null) throw overLimit(verdict, now);
};
