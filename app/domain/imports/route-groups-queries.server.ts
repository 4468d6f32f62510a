import { sql } from "drizzle-orm";
import { upsertRouteGroups } from "../catalogue/staged.server.ts";
import { type Comparison, diffOf, routesChangedBy } from "./diff-queries.server.ts";
import type { ImportSteps } from "./kind.server.ts";
import { checkReference } from "./references-queries.server.ts";

const comparison: Comparison = {
  key: sql`s.code`,
  join: sql`left join (select g.*, l.code as trade_lane_code from route_groups g join trade_lanes l on l.id = trade_lane_id) old
        on old.code = s.code`,
  isNew: sql`old.id is null`,
  fields: {
    name: [sql`old.name`, sql`s.name`],
    trade_lane_code: [sql`old.trade_lane_code`, sql`s.trade_lane_code`],
    cargo_type: [sql`old.cargo_type`, sql`s.cargo_type`],
  },
};

export const routeGroupSteps: ImportSteps = {
  key: { columns: ["code"], reportedAt: "code" },

  async checkStaged(file, find) {
    await checkReference(file, find, { column: "trade_lane_code", to: "trade_lane" });
    await find(
      "error",
      sql`select s.row, 'cargo_type' as "column", 'wrong_cargo_type' as code, s.cargo_type::text as value,
          'The group has ' || old.cargo_type || ' routes. Keep the cargo type, or add another group' as message
        from ${file.table} s join route_groups old on old.code = s.code and old.cargo_type <> s.cargo_type
        where exists (select from routes where route_group_id = old.id)`,
    );
  },

  diff: (file) => diffOf(file, comparison),

  routes: (file) => routesChangedBy(file, comparison, sql`join routes on routes.route_group_id = old.id`),

  apply: async ({ db, table }) => {
    await upsertRouteGroups(db, table);
    return undefined;
  },
};
