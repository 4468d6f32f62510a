import { sql } from "drizzle-orm";
import { writeStagedCarriers } from "../catalogue/staged.server.ts";
import { diffOf } from "./diff-queries.server.ts";
import type { ImportSteps } from "./kind.server.ts";

export const carrierSteps: ImportSteps = {
  key: { columns: ["code"], reportedAt: "code" },

  /** A carrier refers to nothing. It may not lose a cargo type that its routes have. */
  checkStaged: ({ table }, find) =>
    find(
      "error",
      sql`select s.row, 'cargo_types' as "column", 'wrong_cargo_type' as code, array_to_string(s.cargo_types, '|') as value,
          'The carrier has ' || r.cargo_type || ' routes. Keep that cargo type' as message
        from ${table} s
        join carriers on carriers.code = s.code
        join lateral (select distinct cargo_type from routes where carrier_id = carriers.id and retired_at is null) r
          on not r.cargo_type = any(s.cargo_types)`,
    ),

  diff: (file) =>
    diffOf(file, {
      key: sql`s.code`,
      join: sql`left join carriers old on old.code = s.code`,
      isNew: sql`old.id is null`,
      fields: {
        name: [sql`old.name`, sql`s.name`],
        cargo_types: [sql`array_to_string(old.cargo_types, '|')`, sql`array_to_string(s.cargo_types, '|')`],
      },
    }),

  routes: ({ table }) => sql`
    select routes.id as route_id from ${table} s
    join carriers on carriers.code = s.code join routes on routes.carrier_id = carriers.id
    where (carriers.name, carriers.cargo_types) is distinct from (s.name, s.cargo_types)`,

  apply: async ({ db, table }) => {
    await writeStagedCarriers(db, table);
    return undefined;
  },
};
