import { type SQL, sql } from "drizzle-orm";
import { equipmentCode } from "../catalogue/equipment.ts";
import { rateBasis as rateBasisOf } from "../catalogue/route.ts";
import { supersedeBaseRates, supersedeSurcharges } from "../catalogue/staged.server.ts";
import { type Comparison, diffOf, majorUnits, routesChangedBy } from "./diff-queries.server.ts";
import type { ImportSteps, StagedFile } from "./kind.server.ts";
import { surchargeNames } from "./rates.ts";
import { checkReference } from "./references-queries.server.ts";

const isSurcharge = sql`s.service_level = ''`;

/** When the charges of the file's routes hold in the catalogue. */
const existing = ({ table }: StagedFile): SQL => sql`(
  with known as materialized (select id, code from routes where code in (select route_code from ${table}))
  select known.code as route_code, 'BAS' as charge_code, service_level::text, equipment_type, valid_from, valid_to
  from base_rates join known on known.id = route_id
  union all
  select known.code, surcharges.code, '', '', valid_from, valid_to
  from surcharges join known on known.id = route_id
)`;

/** A surcharge may be repeated for each service level and equipment. It counts once. */
const charges = (file: StagedFile): StagedFile => ({
  ...file,
  table: sql`(
    select distinct on (route_code, charge_code, service_level, equipment_type, valid_from) * from ${file.table}
    order by route_code, charge_code, service_level, equipment_type, valid_from, row
  )`,
});

/** `1.0931 (ECB 2026-11-13)`. Null for an amount in the catalogue's currency. */
const exchangeRateOf = (charge: SQL): SQL => sql`
  ${charge}.exchange_rate || ' (' || ${charge}.exchange_rate_source || ' ' || ${charge}.exchange_rate_as_of || ')'`;

const comparison: Comparison = {
  key: sql`concat_ws(' ', s.route_code, s.charge_code, nullif(s.service_level, ''), nullif(s.equipment_type, ''), s.valid_from)`,
  // Both are found by their primary keys.
  join: sql`
    left join routes on routes.code = s.route_code
    left join base_rates b on b.route_id = routes.id and b.service_level = nullif(s.service_level, '')::service_level_name
      and b.equipment_type = s.equipment_type and b.valid_from = s.valid_from
    left join surcharges c on ${isSurcharge} and c.route_id = routes.id and c.code = s.charge_code
      and c.valid_from = s.valid_from
    cross join lateral (
      select coalesce(b.amount_cents, c.amount_cents) as amount_cents, coalesce(b.currency, c.currency) as currency,
        coalesce(b.basis, c.basis) as basis, coalesce(b.valid_to, c.valid_to) as valid_to,
        c.exchange_rate, c.exchange_rate_as_of, c.exchange_rate_source
    ) old`,
  isNew: sql`old.amount_cents is null`,
  fields: {
    amount: [majorUnits(sql`old.amount_cents`, sql`old.currency`), majorUnits(sql`s.amount_cents`, sql`s.currency`)],
    currency: [sql`old.currency`, sql`s.currency`],
    exchange_rate: [exchangeRateOf(sql`old`), exchangeRateOf(sql`s`)],
    basis: [sql`old.basis`, sql`s.basis`],
    valid_to: [sql`old.valid_to`, sql`s.valid_to`],
  },
};

export const rateSteps: ImportSteps = {
  key: null,

  async checkStaged(file, find) {
    await checkReference(file, find, { column: "route_code", to: "route" });
    await find("error", unknownLevels(file));
    await find("error", wrongBases(file));
    await find("error", wrongEquipment(file));
    await find("error", repeatedCharges(file));
    await find("error", overlapsWithNext(file));
    await find("warning", shortened(file));
  },

  diff: (file) => diffOf(charges(file), comparison),

  routes: (file) => routesChangedBy(charges(file), comparison),

  apply: async (file) => {
    const { table } = charges(file);
    await supersedeBaseRates(file.db, sql`(select * from ${table} s where not ${isSurcharge})`);
    await supersedeSurcharges(
      file.db,
      sql`(
      select s.*, coalesce(latest.name, names.value, s.charge_code) as name, coalesce(latest.mandatory, true) as mandatory
      from ${table} s
      left join jsonb_each_text(${JSON.stringify(surchargeNames)}::jsonb) names on names.key = s.charge_code
      left join (
        select distinct on (route_id, surcharges.code) routes.code as route_code, surcharges.code, surcharges.name, mandatory
        from surcharges join routes on routes.id = route_id order by route_id, surcharges.code, valid_from desc
      ) latest on latest.route_code = s.route_code and latest.code = s.charge_code
      where ${isSurcharge})`,
    );
    return undefined;
  },
};

// ── Checks ──────────────────────────────────────────────────────────────────────────────────────────

const unknownLevels = ({ table }: StagedFile): SQL => sql`
  select s.row, 'service_level' as "column", 'not_allowed' as code, s.service_level as value,
    'The route has ' || (select string_agg(level::text, ', ' order by level) from service_levels where route_id = r.id)
      || ' only' as message
  from ${table} s join routes r on r.code = s.route_code
  where not ${isSurcharge}
    and not exists (select from service_levels l where l.route_id = r.id and l.level::text = s.service_level)`;

const rateBasis = sql`case r.cargo_type ${sql.join(
  Object.entries(rateBasisOf).map(([cargoType, basis]) => sql.raw(`when '${cargoType}' then '${basis}'`)),
  sql` `,
)} end`;

/** A surcharge is for the unit of the rate, the bill of lading or the day; also for the TEU, and for heavy pieces the tonne. */
const wrongBases = ({ table }: StagedFile): SQL => sql`
  select s.row, 'basis' as "column", 'wrong_basis' as code, s.basis as value,
    case when ${isSurcharge} then 'Surcharges' else 'Rates' end || ' of ' || r.cargo_type || ' cargo are '
      || ${rateBasis} || case when ${isSurcharge} then ', per_bl or per_day' else '' end || '. Enter that basis' as message
  from ${table} s join routes r on r.code = s.route_code
  where s.basis <> ${rateBasis}
    and not (${isSurcharge}
      and (s.basis in ('per_bl', 'per_day') or (s.basis, r.cargo_type) in (('per_teu', 'container'), ('per_tonne', 'break_bulk'))))`;

const wrongEquipment = ({ table }: StagedFile): SQL => sql`
  select s.row, 'equipment_type' as "column", s.equipment_type as value,
    case when r.cargo_type = 'container' then 'malformed' else 'contradiction' end as code,
    case when r.cargo_type = 'container' then 'Enter an ISO 6346 size and type code, such as 45G1'
      else 'Equipment is for containers only. Leave the cell empty' end as message
  from ${table} s join routes r on r.code = s.route_code
  where not ${isSurcharge}
    and case when r.cargo_type = 'container' then s.equipment_type !~ ${equipmentCode.source} else s.equipment_type <> '' end`;

/** A base rate may appear once. A surcharge may be repeated with the same values. */
const repeatedCharges = ({ table }: StagedFile): SQL => sql`
  select s.row, s.charge_code as value,
    case when ${isSurcharge} then 'amount' else 'charge_code' end as "column",
    case when ${isSurcharge} then 'contradiction' else 'duplicate' end as code,
    case when ${isSurcharge}
      then 'Row ' || s.first_row || ' has a different value. A surcharge is the same for all service levels and equipment types'
      else 'Already in row ' || s.first_row || '. Remove one of them' end as message
  from (
    select *, first_value(row) over same as first_row, first_value(amount_cents) over same as first_amount,
      first_value(currency) over same as first_currency, first_value(basis) over same as first_basis,
      first_value(valid_to) over same as first_valid_to
    from ${table}
    window same as (partition by route_code, charge_code, service_level, equipment_type, valid_from order by row)
  ) s
  where s.row <> s.first_row and (not ${isSurcharge}
    or (s.amount_cents, s.currency, s.basis, s.valid_to)
      is distinct from (s.first_amount, s.first_currency, s.first_basis, s.first_valid_to))`;

/**
 * Each charge of the file with the one before and the one after it, in the file or in the catalogue. A charge of the
 * catalogue has no row; one that the file replaces is left out.
 */
const neighbours = (file: StagedFile): SQL => sql`
  select * from (
    select *, lead(row) over validities as next_row, lead(valid_from) over validities as next_from,
      lag(row) over validities as row_before, lag(valid_from) over validities as from_before,
      lag(coalesce(valid_to, 'infinity')) over validities as to_before
    from (
      select distinct on (route_code, charge_code, service_level, equipment_type, valid_from) * from (
        select row, route_code, charge_code, service_level, equipment_type, valid_from, valid_to from ${file.table} listed
        union all
        select null, route_code, charge_code, service_level, equipment_type, valid_from, valid_to from ${existing(file)} old
      ) every order by route_code, charge_code, service_level, equipment_type, valid_from, row
    ) kept
    window validities as (partition by route_code, charge_code, service_level, equipment_type order by valid_from)
  ) s where row is not null`;

const overlapsWithNext = (file: StagedFile): SQL => sql`
  select s.row, 'valid_to' as "column", 'overlap' as code, coalesce(s.valid_to::text, '') as value,
    coalesce('Row ' || s.next_row, 'The catalogue') || ' has a charge from ' || s.next_from || ' on. End this one on '
      || s.next_from - 1 || ' or earlier' as message
  from (${neighbours(file)}) s where s.next_from <= coalesce(s.valid_to, 'infinity')`;

const shortened = (file: StagedFile): SQL => sql`
  select s.row, 'valid_from' as "column", 'overlap' as code, s.valid_from::text as value,
    'The charge from ' || s.from_before || ' is still valid. It will end on ' || s.valid_from - 1 as message
  from (${neighbours(file)}) s where s.row_before is null and s.to_before >= s.valid_from`;
