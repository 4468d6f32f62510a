import { supportRequests } from "#drizzle/schema/index.ts";

/** The columns of a `SupportRequest`. */
export const requestColumns = {
  id: supportRequests.id,
  topic: supportRequests.topic,
  subject: supportRequests.subject,
  status: supportRequests.status,
  requestedPlan: supportRequests.requestedPlan,
  createdAt: supportRequests.createdAt,
  updatedAt: supportRequests.updatedAt,
};
