import { supportRequests } from "#drizzle/schema/index.ts";

/** A support request as the domain knows it. */
export const requestColumns = {
  id: supportRequests.id,
  topic: supportRequests.topic,
  subject: supportRequests.subject,
  status: supportRequests.status,
  requestedPlan: supportRequests.requestedPlan,
  createdAt: supportRequests.createdAt,
  updatedAt: supportRequests.updatedAt,
};
