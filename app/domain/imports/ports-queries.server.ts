import { type SQL, sql } from "drizzle-orm";
import { upsertPorts } from "../catalogue/staged.server.ts";
import { type Comparison, diffOf, routesChangedBy } from "./diff-queries.server.ts";
import type { ImportSteps, StagedFile } from "./kind.server.ts";
import { checkCargoTypesKept, checkReference } from "./references-queries.server.ts";

const comparison: Comparison = {
  key: sql`s.unlocode`,
  join: sql`left join (select ports.*, regions.code as region_code from ports join regions on regions.id = region_id) old
        on old.unlocode = s.unlocode`,
  isNew: sql`old.id is null`,
  fields: {
    name: [sql`old.name`, sql`s.name`],
    region_code: [sql`old.region_code`, sql`s.region_code`],
    lat: [sql`old.lat`, sql`s.lat`],
    lon: [sql`old.lon`, sql`s.lon`],
    timezone: [sql`old.timezone`, sql`s.timezone`],
    cargo_types: [sql`array_to_string(old.cargo_types, '|')`, sql`array_to_string(s.cargo_types, '|')`],
    tier: [sql`old.tier`, sql`s.tier`],
    alt_unlocodes: [
      sql`array_to_string(old.alt_unlocodes, '|')`,
      sql`array_to_string(coalesce(s.alt_unlocodes, old.alt_unlocodes, '{}'), '|')`,
    ],
    country: [sql`old.country`, sql`coalesce(s.country, old.country, s.iso_country)`],
  },
};

export const portSteps: ImportSteps = {
  key: { columns: ["unlocode"], reportedAt: "unlocode" },

  async checkStaged(file, find) {
    await checkReference(file, find, { column: "region_code", to: "region" });
    await find("error", codesOfOtherPorts(file));
    await checkCargoTypesKept(file, find, {
      word: "port",
      routes: sql`select routes.cargo_type from ports join routes on ports.id in (origin_port_id, destination_port_id)
        where ports.unlocode = s.unlocode and routes.retired_at is null`,
    });
  },

  diff: (file) => diffOf(file, comparison),

  routes: (file) =>
    routesChangedBy(
      file,
      comparison,
      sql`join routes on old.id in (routes.origin_port_id, routes.destination_port_id)`,
    ),

  async apply({ db, table }) {
    await upsertPorts(
      db,
      sql`(select s.unlocode, coalesce(s.alt_unlocodes, old.alt_unlocodes, '{}') as alt_unlocodes, s.name, s.country_code,
          coalesce(s.country, old.country, s.iso_country) as country, s.region_code, s.lat, s.lon, s.tier, s.cargo_types,
          s.timezone
        from ${table} s left join ports old on old.unlocode = s.unlocode)`,
    );
    return undefined;
  },
};

/** Codes that two ports would share, be they in the file or in the catalogue. */
const codesOfOtherPorts = ({ table }: StagedFile): SQL => sql`
  with codes as (
    select s.row, s.unlocode as port, unnest(s.unlocode || coalesce(s.alt_unlocodes, old.alt_unlocodes, '{}')) as code
    from ${table} s left join ports old on old.unlocode = s.unlocode
    union all
    select null, unlocode, unnest(unlocode || alt_unlocodes) from ports
    where not exists (select from ${table} s where s.unlocode = ports.unlocode)
  )
  select own.row, case when own.code = own.port then 'unlocode' else 'alt_unlocodes' end as "column", 'duplicate' as code,
    own.code as value, 'The port ' || min(other.port) || ' already has this code. Enter another code, or correct that port' as message
  from codes own join codes other on other.code = own.code and other.port <> own.port
  where own.row is not null
  group by own.row, own.port, own.code`;
