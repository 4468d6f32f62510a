import { sql } from "drizzle-orm";
import { upsertCarriers } from "../catalogue/staged.server.ts";
import { type Comparison, diffOf, routesChangedBy } from "./diff-queries.server.ts";
import type { ImportSteps } from "./kind.server.ts";
import { checkCargoTypesKept } from "./references-queries.server.ts";

const comparison: Comparison = {
  key: sql`s.code`,
  join: sql`left join carriers old on old.code = s.code`,
  isNew: sql`old.id is null`,
  fields: {
    name: [sql`old.name`, sql`s.name`],
    cargo_types: [sql`array_to_string(old.cargo_types, '|')`, sql`array_to_string(s.cargo_types, '|')`],
  },
};

export const carrierSteps: ImportSteps = {
  key: { columns: ["code"], reportedAt: "code" },

  checkStaged: (file, find) =>
    checkCargoTypesKept(file, find, {
      word: "carrier",
      routes: sql`select routes.cargo_type from carriers join routes on routes.carrier_id = carriers.id
        where carriers.code = s.code and routes.retired_at is null`,
    }),

  diff: (file) => diffOf(file, comparison),

  routes: (file) => routesChangedBy(file, comparison, sql`join routes on routes.carrier_id = old.id`),

  apply: async ({ db, table }) => {
    await upsertCarriers(db, table);
    return undefined;
  },
};
