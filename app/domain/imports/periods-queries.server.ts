import { type SQL, sql } from "drizzle-orm";
import { linkSuccessors, upsertPeriods } from "../catalogue/staged.server.ts";
import { dayOf } from "../dates.ts";
import { type Comparison, diffOf, routesChangedBy } from "./diff-queries.server.ts";
import type { ImportSteps, StagedFile } from "./kind.server.ts";
import { checkReference } from "./references-queries.server.ts";

/**
 * The staged rows with the codes, names and successors that they leave out. A period is known by its code, or by its
 * route and first day.
 */
const completed = (file: StagedFile): StagedFile => ({
  ...file,
  table: sql`(
    select s.row, s.route_code, s.starts_on, s.ends_on, s.freshness, coded.code,
      coalesce(s.name, old.name, 'From ' || s.starts_on) as name,
      coalesce(s.successor_code, successor.code) as successor_code
    from ${file.table} s
    left join routes on routes.code = s.route_code
    left join lateral (
      select code from periods p where p.route_id = routes.id and p.starts_on = s.starts_on
      order by p.retired_at is null desc, p.id limit 1
    ) same on true
    cross join lateral (select coalesce(s.code, same.code, s.route_code || '/' || s.starts_on) as code) coded
    left join periods old on old.code = coded.code
    left join periods successor on successor.id = old.successor_period_id
  )`,
});

const comparison: Comparison = {
  key: sql`s.code`,
  join: sql`left join (
      select p.*, r.code as route_code, next.code as successor_code from periods p
      join routes r on r.id = p.route_id left join periods next on next.id = p.successor_period_id
    ) old on old.code = s.code`,
  isNew: sql`old.id is null`,
  fields: {
    name: [sql`old.name`, sql`s.name`],
    starts_on: [sql`old.starts_on`, sql`s.starts_on`],
    ends_on: [sql`old.ends_on`, sql`s.ends_on`],
    freshness: [sql`old.freshness`, sql`s.freshness`],
    successor_code: [sql`old.successor_code`, sql`s.successor_code`],
  },
};

export const periodSteps: ImportSteps = {
  key: { columns: ["route_code", "starts_on"], reportedAt: "starts_on" },

  async checkStaged(file, find) {
    await checkReference(file, find, { column: "route_code", to: "route" });
    await find("error", codesOfOthers(file));
    await find("error", unknownSuccessors(file));
    await find("error", overlapsInFile(file));
    await find("error", overlapsWithCatalogue(file));
    await find("error", lateChanges(file));
  },

  diff: (file) => diffOf(completed(file), comparison),

  routes: (file) => routesChangedBy(completed(file), comparison, sql`join routes on routes.id = old.route_id`),

  async apply(file) {
    const { table } = completed(file);
    await upsertPeriods(file.db, table);
    await linkSuccessors(file.db, table);
    return undefined;
  },
};

// ── Checks ──────────────────────────────────────────────────────────────────────────────────────────

const codesOfOthers = (file: StagedFile): SQL => sql`
  select s.row, 'code' as "column", 'duplicate' as code, s.code as value,
    'Another period of the route ' || r.code || ' has this code. Enter another code' as message
  from ${completed(file).table} s join periods p on p.code = s.code join routes r on r.id = p.route_id
  where r.code <> s.route_code
  union all
  select s.row, 'code', 'duplicate', s.code, 'Already in row ' || s.first_row || '. Enter another code'
  from (select *, min(row) over (partition by code) as first_row from ${completed(file).table} c) s
  where s.row > s.first_row and s.code in (select code from ${file.table})`;

/** The next period of the same route, in the file or in the catalogue. */
const unknownSuccessors = (file: StagedFile): SQL => sql`
  select s.row, 'successor_code' as "column", 'unknown_code' as code, s.successor_code as value,
    'The route has no period with this code. Correct it or leave it empty' as message
  from ${file.table} s
  where s.successor_code is not null
    and not exists (select from ${completed(file).table} other
      where other.code = s.successor_code and other.route_code = s.route_code and other.row <> s.row)
    and not exists (select from periods p join routes r on r.id = p.route_id
      where p.code = s.successor_code and r.code = s.route_code and p.starts_on <> s.starts_on)`;

const overlapsInFile = ({ table }: StagedFile): SQL => sql`
  select s.row, 'starts_on' as "column", 'overlap' as code, s.starts_on::text as value,
    'Row ' || s.before_row || ' has an overlapping period. End it on ' || s.starts_on || ' or earlier' as message
  from (
    select *, lag(row) over route as before_row, lag(starts_on) over route as before_from,
      max(coalesce(ends_on, 'infinity')) over (route rows between unbounded preceding and 1 preceding) as busy_until
    from ${table} window route as (partition by route_code order by starts_on, row)
  ) s where s.busy_until > s.starts_on and s.before_from < s.starts_on`;

/** Periods of the catalogue that the file does not change. Retired ones are not on offer. */
const overlapsWithCatalogue = (file: StagedFile): SQL => sql`
  with listed as materialized (select * from ${completed(file).table} s),
  kept as materialized (
    select p.*, r.code as route_code from periods p join routes r on r.id = p.route_id
    where p.retired_at is null and r.code in (select route_code from listed)
      and not exists (select from listed where listed.code = p.code)
  )
  select s.row, 'starts_on' as "column", 'overlap' as code, s.starts_on::text as value,
    case when p.ends_on is null
      then 'The period ' || p.code || ' is still open. End it on ' || s.starts_on || ' or earlier, in this file or before'
      else 'The period ' || p.code || ' ends on ' || p.ends_on || '. Begin on that day or later' end as message
  from listed s join kept p on p.route_code = s.route_code
    and daterange(p.starts_on, p.ends_on) && daterange(s.starts_on, s.ends_on)`;

/** Subscribers have read the data of the days that are over. */
const lateChanges = (file: StagedFile): SQL => {
  const today = sql`${dayOf(file.now)}::date`;
  const existing = sql`${completed(file).table} s
    join routes r on r.code = s.route_code join periods p on p.route_id = r.id and p.code = s.code`;
  return sql`
    select s.row, 'freshness' as "column", 'in_past' as code, s.freshness::text as value,
      'The freshness of a period that has ended cannot be changed' as message
    from ${existing}
    where s.freshness <> p.freshness and p.ends_on <= ${today}
    union all
    select s.row, 'ends_on', 'in_past', s.ends_on::text, ${`In the past. Enter ${dayOf(file.now)} or a later day`}::text
    from ${existing}
    where s.ends_on is distinct from p.ends_on and s.ends_on < ${today}`;
};
