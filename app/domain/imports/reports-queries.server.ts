import { type SQL, sql } from "drizzle-orm";
import { capacityUnit, rateBasis } from "../catalogue/route.ts";
import { reportFigures, writeStagedReports } from "../catalogue/staged.server.ts";
import { writtenAmount } from "../money.ts";
import { type Comparison, diffOf, inUtc } from "./diff-queries.server.ts";
import type { ImportSteps } from "./kind.server.ts";
import { reports } from "./reports.ts";

/**
 * The rows with their route, period and service level, or null; the stored report with the same key; and the first row with
 * that key. They come in the order of the key, so that the index of `reports` grows in order. A day belongs to the period
 * that began last; a retired one counts only where there is no other.
 */
const resolved = (table: SQL): SQL => sql`
  select s.*, old.id as existing_id, first_value(s.row) over (partition by ${key("s", "level")} order by s.row) as first_row
  from (
    select ${stagedColumns}, routes.id as route_id, routes.cargo_type, days.period_id,
      coalesce(s.service_level, offered.usual) as level,
      coalesce(s.service_level, offered.usual) = any(offered.levels) as is_offered
    from ${table} s
    left join routes on routes.code = s.route_code
    left join (
      select route_id, array_agg(level) as levels,
        coalesce(max(level) filter (where level = 'standard'), min(level)) as usual
      from service_levels group by route_id
    ) offered on offered.route_id = routes.id
    left join (
      select period_id, route_id, starts_on,
        least(ends_on, lead(starts_on) over (partition by route_id order by starts_on), 'infinity') as ends_on
      from (
        select distinct on (route_id, starts_on) id as period_id, route_id, starts_on, ends_on from periods p
        where retired_at is null or not exists (
          select from periods other
          where other.route_id = p.route_id and other.retired_at is null
            and other.starts_on < coalesce(p.ends_on, 'infinity') and p.starts_on < coalesce(other.ends_on, 'infinity'))
        order by route_id, starts_on, id
      ) counted
    ) days on days.route_id = routes.id
      and days.starts_on <= (s.observed_at at time zone 'UTC')::date
      and (s.observed_at at time zone 'UTC')::date < days.ends_on
  ) s
  left join reports old on (${key("old", "service_level")}) = (${key("s", "level")})
  order by ${key("s", "level")}, s.row`;

const stagedColumns = sql.raw(["row", ...Object.keys(reports.staging)].map((column) => `s.${column}`).join(", "));

/** What identifies a report. */
const key = (table: string, level: "service_level" | "level"): SQL =>
  sql.raw(["period_id", "observed_at", "type", level, "equipment_type"].map((each) => `${table}.${each}`).join(", "));

/** A word by cargo type, as an SQL expression. */
const byCargoType = (words: Readonly<Record<string, string>>): SQL =>
  sql`case s.cargo_type ${sql.join(
    Object.entries(words).map(
      ([cargoType, word]) => sql`when ${sql.raw(`'${cargoType}'`)} then ${sql.raw(`'${word}'`)} `,
    ),
  )} end`;

const ownBasis = byCargoType(rateBasis);
const ownUnit = byCargoType(capacityUnit);

/** Of the stored report and of the row. */
const ofBoth = (value: (record: string) => string) => [sql.raw(value("old")), sql.raw(value("s"))] as const;

/** By column, as far as they have another name. */
const names: Record<string, string> = { base_rate_cents: "base_rate", surcharges_cents: "surcharges_total" };

type Amounts = { currency: string; amounts: { code?: string; amountCents: number; currency?: string }[] };

/** `BAF 120.00 USD, THC 95.50 EUR`. */
const writeAmounts = (value: unknown): string => {
  const { currency, amounts } = value as Amounts;
  if (amounts.length === 0) return "none";
  return amounts
    .map(({ code, amountCents, currency: own }) => {
      const amount = writtenAmount(amountCents, own ?? currency);
      return code === undefined ? amount : `${code} ${amount}`;
    })
    .join(", ");
};

/** @param amounts the SQL of the list that `writeAmounts` takes; null without a value */
const shownAsAmounts = (column: string, amounts: (value: string) => string) => ({
  values: ofBoth(
    (record) => `case when ${record}.${column} is not null then
      jsonb_build_object('currency', ${record}.currency, 'amounts', ${amounts(`${record}.${column}`)}) end`,
  ),
  write: writeAmounts,
});
const oneAmount = (cents: string) => `jsonb_build_array(jsonb_build_object('amountCents', ${cents}))`;

const comparison: Comparison = {
  key: sql`s.route_code || ' ' || s.type || ' ' || to_char(s.observed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`,
  join: sql`left join reports old on old.id = s.existing_id`,
  isNew: sql`s.existing_id is null`,
  routeId: sql`s.route_id`,
  fields: Object.fromEntries(
    reportFigures.map((column) => [names[column] ?? column, ofBoth((record) => `${record}.${column}`)]),
  ),
  shown: {
    base_rate: shownAsAmounts("base_rate_cents", oneAmount),
    surcharges: shownAsAmounts("surcharges", (list) => list),
    surcharges_total: shownAsAmounts("surcharges_cents", oneAmount),
    etd: { values: [inUtc(sql`old.etd`), inUtc(sql`s.etd`)] },
    eta: { values: [inUtc(sql`old.eta`), inUtc(sql`s.eta`)] },
  },
};

export const reportSteps: ImportSteps = {
  key: null,

  resolved: ({ table }) => resolved(table),

  checkStaged: async ({ table }, find) => {
    // One pass over the rows for all that concerns a single row.
    await find(
      "error",
      sql`select s.row, found."column", found.code, found.message, found.value
        from ${table} s
        cross join lateral (values
          (s.route_id is null, 'route_code', 'unknown_code', s.route_code,
            'There is no such route. Correct the code, or import the route first'),
          (s.route_id is not null and s.period_id is null, 'observed_at', 'no_period', s.observed_at::text,
            'The route has no period for that day. Correct the time, or leave the line out'),
          (s.route_id is not null and not s.is_offered, 'data.service_level', 'unknown_code', s.level::text,
            'The route has ' || (select string_agg(level::text, ', ' order by level) from service_levels offered
              where offered.route_id = s.route_id) || ' only'),
          (s.basis::text <> ${ownBasis}, 'data.basis', 'wrong_basis', s.basis::text,
            'Rates of ' || s.cargo_type || ' cargo are ' || ${ownBasis} || '. Enter that basis'),
          (s.capacity_unit::text <> ${ownUnit}, 'data.unit', 'wrong_unit', s.capacity_unit::text,
            'The unit of ' || s.cargo_type || ' capacity is ' || ${ownUnit})
        ) found (holds, "column", code, value, message)
        where found.holds
          and (s.route_id is null or s.period_id is null or not s.is_offered
            or s.basis::text <> ${ownBasis} or s.capacity_unit::text <> ${ownUnit})`,
    );
    await find(
      "error",
      sql`select s.row, 'observed_at' as "column", 'duplicate' as code, s.observed_at::text as value,
          'Row ' || s.first_row || ' has the same report. Remove one of them' as message
        from ${table} s where s.period_id is not null and s.row > s.first_row`,
    );
  },

  diff: (file) => diffOf(file, comparison),

  countsWrites: true,
  apply: async ({ db, table, rows }, onProgress) => {
    const written = await writeStagedReports(db, table, onProgress);
    return { ...written, unchanged: rows - written.new - written.changed };
  },
};
