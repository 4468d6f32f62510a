import { type SQL, sql } from "drizzle-orm";
import { upsertLanePrices, upsertTradeLanes } from "../catalogue/staged.server.ts";
import { dayOf } from "../dates.ts";
import { type Comparison, diffOf, majorUnits, routesChangedBy } from "./diff-queries.server.ts";
import type { ImportSteps, StagedFile } from "./kind.server.ts";
import { changesShown } from "./kind.ts";
import type { PriceChange } from "./preview.ts";
import { checkReference } from "./references-queries.server.ts";

/** The price of the same day, or else the one that applies on that day. */
const comparison: Comparison = {
  key: sql`s.code || ' from ' || s.valid_from`,
  join: sql`
    left join (
      select l.*, o.code as origin_region_code, d.code as destination_region_code from trade_lanes l
      join regions o on o.id = origin_region_id join regions d on d.id = destination_region_id
    ) old on old.code = s.code
    left join lateral (
      select * from trade_lane_prices p where p.trade_lane_id = old.id and p.valid_from <= s.valid_from
      order by p.valid_from desc limit 1
    ) price on true`,
  isNew: sql`old.id is null`,
  fields: {
    name: [sql`old.name`, sql`s.name`],
    origin_region_code: [sql`old.origin_region_code`, sql`s.origin_region_code`],
    destination_region_code: [sql`old.destination_region_code`, sql`s.destination_region_code`],
    haul: [sql`old.haul`, sql`s.haul`],
    base_price: [majorUnits(sql`price.base_price_cents`), majorUnits(sql`s.base_price_cents`)],
    valid_from: [sql`price.valid_from`, sql`s.valid_from`],
  },
};

export const tradeLaneSteps: ImportSteps = {
  key: { columns: ["code", "valid_from"], reportedAt: "valid_from" },

  async checkStaged(file, find) {
    await checkReference(file, find, { column: "origin_region_code", to: "region" });
    await checkReference(file, find, { column: "destination_region_code", to: "region" });
    for (const column of ["name", "origin_region_code", "destination_region_code", "haul"]) {
      await find("error", otherThanFirst(file, column));
    }
    await find("error", changedPastPrices(file));
  },

  diff: async (file) => ({ ...(await diffOf(file, comparison)), prices: await priceChanges(file) }),

  routes: (file) =>
    routesChangedBy(
      file,
      comparison,
      sql`join route_groups on route_groups.trade_lane_id = old.id
        join routes on routes.route_group_id = route_groups.id`,
    ),

  async apply({ db, table }) {
    // A lane stays listed with its region. A new one, or one that begins elsewhere, is listed with that region.
    await upsertTradeLanes(
      db,
      sql`(select distinct on (s.code) s.*,
          case when old.origin_region_code = s.origin_region_code then old.region_code else s.origin_region_code end as region_code
        from ${table} s
        left join (
          select l.code, r.code as region_code, o.code as origin_region_code from trade_lanes l
          join regions r on r.id = l.region_id join regions o on o.id = l.origin_region_id
        ) old on old.code = s.code
        order by s.code, s.row)`,
    );
    await upsertLanePrices(db, table);
    return undefined;
  },
};

/** All lines of a lane say the same of it; only the prices differ. */
const otherThanFirst = ({ table }: StagedFile, column: string): SQL => {
  const cell = sql.identifier(column);
  return sql`
    select s.row, ${column}::text as "column", 'contradiction' as code, s.${cell}::text as value,
      'Row ' || s.first_row || ' has a different value for the same trade lane. Use the same value in both' as message
    from (
      select *, first_value(${cell}) over lane as first_value, first_value(row) over lane as first_row
      from ${table} window lane as (partition by code order by row)
    ) s where s.${cell} <> s.first_value`;
};

const changedPastPrices = ({ table, now }: StagedFile): SQL => sql`
  select s.row, 'valid_from' as "column", 'in_past' as code, s.valid_from::text as value,
    ${`Past prices cannot be changed. Enter ${dayOf(now)} or a later day`}::text as message
  from ${table} s join trade_lanes l on l.code = s.code
  where s.valid_from < ${dayOf(now)}::date
    and exists (select from trade_lane_prices p where p.trade_lane_id = l.id)
    and not exists (select from trade_lane_prices p where p.trade_lane_id = l.id
      and p.valid_from = s.valid_from and p.base_price_cents = s.base_price_cents)`;

const priceChanges = async ({ db, table }: StagedFile): Promise<PriceChange[]> => [
  ...(await db.execute<PriceChange>(sql`
    select s.code, price.base_price_cents as "beforeCents", s.base_price_cents as "afterCents",
      s.valid_from::text as "validFrom", (
        select count(*)::int from periods
        join routes on routes.id = periods.route_id
        join route_groups on route_groups.id = routes.route_group_id
        where route_groups.trade_lane_id = old.id and periods.retired_at is null
          and (periods.ends_on is null or periods.ends_on > s.valid_from)
      ) as periods
    from ${table} s ${comparison.join}
    where price.base_price_cents is distinct from s.base_price_cents
    order by s.row limit ${changesShown}`)),
];
