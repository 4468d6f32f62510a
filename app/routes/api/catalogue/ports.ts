import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/directory.ts";
import { portRecordDocument } from "#app/api/documents/directory.ts";
import { serveVersioned } from "#app/api/serve.server.ts";
import { versionedByContent } from "#app/api/versioned.server.ts";
import { browsePorts } from "#app/domain/catalogue/directory.server.ts";

export const action = apiRoute(
  serveVersioned(contracts.ports, async ({ ctx, query }) => {
    const { rows, nextCursor } = await browsePorts(ctx, query, query);
    return versionedByContent({ ports: rows.map(portRecordDocument), next_cursor: nextCursor });
  }),
);
export { action as loader };
