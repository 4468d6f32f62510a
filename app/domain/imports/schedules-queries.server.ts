import { type SQL, sql } from "drizzle-orm";
import { upsertSailings } from "../schedules/import.server.ts";
import { type Comparison, diffOf, inUtc, routesChangedBy } from "./diff-queries.server.ts";
import type { ImportSteps, StagedFile } from "./kind.server.ts";
import { checkReference } from "./references-queries.server.ts";

/** What identifies a sailing. */
const sailing = (of: SQL) => sql`(${of}.route_code, ${of}.service_code, ${of}.voyage)`;

/** The rows with the ids of their ports, which are null for unknown codes. */
const withPorts = ({ table }: StagedFile): SQL => sql`(
  with codes as (select id, unnest(unlocode || alt_unlocodes) as code from ports)
  select s.*, load.id as load_port_id, discharge.id as discharge_port_id
  from ${table} s
  left join codes load on load.code = s.load_unlocode
  left join codes discharge on discharge.code = s.discharge_unlocode
)`;

/** One row per sailing: that of its first leg, with the arrival of the last and all legs as JSON. */
const sailings = (file: StagedFile): SQL => sql`(
  select min(row) as row, route_code, service_code, voyage,
    (array_agg(status order by leg))[1] as status,
    (array_agg(service_level order by leg))[1] as service_level,
    min(etd) as etd, max(eta) as eta,
    max(documentation_cut_off) as documentation_cut_off, max(vgm_cut_off) as vgm_cut_off,
    max(cargo_cut_off) as cargo_cut_off,
    jsonb_agg(jsonb_build_object('sequence', leg, 'mode', transport_mode, 'load_port_id', load_port_id,
      'load_terminal_code', load_terminal_code, 'load_terminal', load_terminal, 'discharge_port_id', discharge_port_id,
      'discharge_terminal_code', discharge_terminal_code, 'discharge_terminal', discharge_terminal,
      'vessel', vessel, 'vessel_imo', vessel_imo, 'service_code', leg_service_code, 'voyage', leg_voyage,
      'etd', etd, 'eta', eta) order by leg) as legs
  from ${withPorts(file)} s group by route_code, service_code, voyage
)`;

const legsInWords = (legs: SQL) => sql`(
  select string_agg(concat_ws(' ', load.unlocode || '–' || discharge.unlocode, leg->>'mode', leg->>'vessel',
    leg->>'vessel_imo', leg->>'service_code', leg->>'voyage', leg->>'load_terminal_code', leg->>'load_terminal',
    leg->>'discharge_terminal_code', leg->>'discharge_terminal', ${inUtc(sql`(leg->>'etd')::timestamptz`)},
    ${inUtc(sql`(leg->>'eta')::timestamptz`)}), '; ' order by leg->'sequence')
  from jsonb_array_elements(${legs}) leg
  join ports load on load.id = (leg->>'load_port_id')::int
  join ports discharge on discharge.id = (leg->>'discharge_port_id')::int)`;

const comparison: Comparison = {
  key: sql`concat_ws(' ', s.route_code, s.service_code, s.voyage)`,
  join: sql`left join (
      select sailings.*, routes.code as route_code from sailings join routes on routes.id = sailings.route_id
    ) old on ${sailing(sql.raw("old"))} = ${sailing(sql.raw("s"))}
    left join lateral (
      select jsonb_agg(to_jsonb(l) order by sequence) as legs from sailing_legs l where l.sailing_id = old.id
    ) published on true`,
  isNew: sql`old.id is null`,
  fields: {
    status: [sql`old.status`, sql`s.status`],
    service_level: [sql`old.service_level`, sql`s.service_level`],
    etd: [inUtc(sql`old.etd`), inUtc(sql`s.etd`)],
    eta: [inUtc(sql`old.eta`), inUtc(sql`s.eta`)],
    documentation_cut_off: [inUtc(sql`old.documentation_cut_off`), inUtc(sql`s.documentation_cut_off`)],
    vgm_cut_off: [inUtc(sql`old.vgm_cut_off`), inUtc(sql`s.vgm_cut_off`)],
    cargo_cut_off: [inUtc(sql`old.cargo_cut_off`), inUtc(sql`s.cargo_cut_off`)],
    legs: [legsInWords(sql`published.legs`), legsInWords(sql`s.legs`)],
  },
};

const asSailings = (file: StagedFile): StagedFile => ({ ...file, table: sailings(file) });

export const scheduleSteps: ImportSteps = {
  key: { columns: ["route_code", "service_code", "voyage", "leg"], reportedAt: "leg" },

  async checkStaged(file, find) {
    await checkReference(file, find, { column: "route_code", to: "route" });
    await find("error", unknownPorts(file));
    await find("error", unknownLevels(file));
    await find("error", contradictions(file));
    await find("error", wrongEnds(file));
    await find("error", brokenLegs(file));
  },

  diff: (file) => diffOf(asSailings(file), comparison),

  routes: (file) => routesChangedBy(asSailings(file), comparison, sql`join routes on routes.code = s.route_code`),

  apply: async (file) => {
    await upsertSailings(file.db, sailings(file), file.now);
    return undefined;
  },
};

// ── Checks ──────────────────────────────────────────────────────────────────────────────────────────

const unknownPorts = (file: StagedFile): SQL => sql`
  select s.row, call."column", 'unknown_code' as code, call.unlocode as value,
    'Unknown port. Correct the code' as message
  from ${withPorts(file)} s cross join lateral (values
    ('load_unlocode', s.load_unlocode, s.load_port_id), ('discharge_unlocode', s.discharge_unlocode, s.discharge_port_id)
  ) call("column", unlocode, id) where call.id is null`;

const unknownLevels = ({ table }: StagedFile): SQL => sql`
  select s.row, 'service_level' as "column", 'not_allowed' as code, s.service_level::text as value,
    'The route has ' || (select string_agg(level::text, ', ' order by level) from service_levels where route_id = r.id)
      || ' only' as message
  from ${table} s join routes r on r.code = s.route_code
  where s.service_level is not null
    and not exists (select from service_levels l where l.route_id = r.id and l.level = s.service_level)`;

/** The status and the level are those of the sailing. */
const contradictions = ({ table }: StagedFile): SQL => sql`
  select s.row, differing."column", 'contradiction' as code, differing.value,
    'Row ' || s.first_row || ' has a different value for the same sailing. Use the same value in both' as message
  from (
    select *, first_value(row) over legs as first_row, first_value(status) over legs as first_status,
      first_value(service_level) over legs as first_level
    from ${table} window legs as (partition by route_code, service_code, voyage order by leg, row)
  ) s cross join lateral (values
    ('status', s.status::text, s.first_status::text), ('service_level', s.service_level::text, s.first_level::text)
  ) differing("column", value, first_value)
  where differing.value is distinct from differing.first_value`;

/** A sailing begins and ends at the ports of its route. */
const wrongEnds = (file: StagedFile): SQL => sql`
  select s.row, call."column", 'contradiction' as code, call.value,
    'The route ' || s.route_code || call.verb || port.unlocode || '. Correct the port or the route' as message
  from (
    select *, row_number() over legs as nth, row_number() over (partition by route_code, service_code, voyage order by leg desc) as nth_last
    from ${withPorts(file)} s window legs as (partition by route_code, service_code, voyage order by leg)
  ) s
  join routes r on r.code = s.route_code
  cross join lateral (values
    (s.nth, 'load_unlocode', s.load_unlocode, s.load_port_id, r.origin_port_id, ' begins at '),
    (s.nth_last, 'discharge_unlocode', s.discharge_unlocode, s.discharge_port_id, r.destination_port_id, ' ends at ')
  ) call(nth, "column", value, port_id, expected_id, verb)
  join ports port on port.id = call.expected_id
  where call.nth = 1 and call.port_id <> call.expected_id`;

/** Each leg begins where, and after, the one before it ends. */
const brokenLegs = (file: StagedFile): SQL => sql`
  select s.row, broken."column", 'contradiction' as code, broken.value, broken.message
  from (
    select *, lag(leg, 1, 0::smallint) over legs as leg_before, lag(discharge_port_id) over legs as port_before,
      lag(discharge_unlocode) over legs as unlocode_before, lag(eta) over legs as eta_before
    from ${withPorts(file)} s window legs as (partition by route_code, service_code, voyage order by leg)
  ) s cross join lateral (
    select 'leg' as "column", s.leg::text as value, 'The previous leg is missing. Number the legs from 1' as message
      where s.leg <> s.leg_before + 1 and s.leg <> s.leg_before
    union all
    select 'load_unlocode', s.load_unlocode, 'The previous leg ends at ' || s.unlocode_before || '. Correct one of them'
      where s.load_port_id <> s.port_before
    union all
    select 'etd', ${inUtc(sql`s.etd`)}, 'Before the arrival of the leg before. Correct one of them'
      where s.etd < s.eta_before
  ) broken`;
