import { apiRoute } from "#app/api/api-route.server.ts";
import * as contracts from "#app/api/contracts/benchmarks.ts";
import { benchmarkDocument } from "#app/api/documents/benchmarks.ts";
import { serveVersioned } from "#app/api/serve.server.ts";
import { versionedByContent } from "#app/api/versioned.server.ts";
import { benchmarksOfLane } from "#app/domain/benchmarks/read.server.ts";

export const action = apiRoute(
  serveVersioned(contracts.benchmarks, async ({ ctx, caller, query }) => {
    const found = await benchmarksOfLane(ctx, caller, {
      tradeLane: query.trade_lane,
      cargoType: query.cargo_type,
      equipmentType: query.equipment_type,
    });
    return versionedByContent({ benchmarks: found.map(benchmarkDocument) });
  }),
);
export { action as loader };
