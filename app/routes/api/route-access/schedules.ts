import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/schedules.ts";
import { scheduleDocument } from "#app/api/documents/schedules.ts";
import { serveVersioned } from "#app/api/serve.server.ts";
import { versionedByContent } from "#app/api/versioned.server.ts";
import { subscribedSailings } from "#app/domain/subscriptions/schedules.server.ts";

export const action = apiRoute(
  serveVersioned(contracts.schedules, async ({ ctx, caller, query }) => {
    const { rows, nextCursor } = await subscribedSailings(ctx, caller, query);
    return versionedByContent({ schedules: rows.map(scheduleDocument), next_cursor: nextCursor });
  }),
);
export { action as loader };
