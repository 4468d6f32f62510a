import { type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../platform/db.server.ts";
import { noteWritten } from "../catalogue/staged.server.ts";

/**
 * Writes new and changed sailings with all their legs. Known by route, service and voyage.
 *
 * @param incoming rows with the columns of the table, the route's code, and the legs as JSON; written after `from`
 */
export const upsertSailings = async (tx: Tx, incoming: SQL, now: Date): Promise<void> => {
  const at = sql`${now.toISOString()}::timestamptz`;
  await tx.execute(sql`
    with written as (
      insert into sailings as old (route_id, service_code, voyage, status, service_level, etd, eta, documentation_cut_off,
        vgm_cut_off, cargo_cut_off, published_at, updated_at)
      select routes.id, r.service_code, r.voyage, r.status, r.service_level, r.etd, r.eta, r.documentation_cut_off,
        r.vgm_cut_off, r.cargo_cut_off, ${at}, ${at}
      from ${incoming} r join routes on routes.code = r.route_code
      on conflict (route_id, service_code, voyage) do update set
        status = excluded.status, service_level = excluded.service_level, etd = excluded.etd, eta = excluded.eta,
        documentation_cut_off = excluded.documentation_cut_off, vgm_cut_off = excluded.vgm_cut_off,
        cargo_cut_off = excluded.cargo_cut_off, updated_at = excluded.updated_at
      where (old.status, old.service_level, old.etd, old.eta, old.documentation_cut_off, old.vgm_cut_off, old.cargo_cut_off)
        is distinct from (excluded.status, excluded.service_level, excluded.etd, excluded.eta,
          excluded.documentation_cut_off, excluded.vgm_cut_off, excluded.cargo_cut_off)
      returning route_id
    )
    ${noteWritten}`);
  await tx.execute(sql`
    with incoming as (${legsOf(incoming)}), changed as (
      insert into sailing_legs as old (sailing_id, sequence, mode, load_port_id, load_terminal_code, load_terminal,
        discharge_port_id, discharge_terminal_code, discharge_terminal, vessel, vessel_imo, service_code, voyage, etd, eta)
      select sailing_id, sequence, mode, load_port_id, load_terminal_code, load_terminal, discharge_port_id,
        discharge_terminal_code, discharge_terminal, vessel, vessel_imo, service_code, voyage, etd, eta
      from incoming
      on conflict (sailing_id, sequence) do update set
        mode = excluded.mode, load_port_id = excluded.load_port_id, load_terminal_code = excluded.load_terminal_code,
        load_terminal = excluded.load_terminal, discharge_port_id = excluded.discharge_port_id,
        discharge_terminal_code = excluded.discharge_terminal_code, discharge_terminal = excluded.discharge_terminal,
        vessel = excluded.vessel, vessel_imo = excluded.vessel_imo, service_code = excluded.service_code,
        voyage = excluded.voyage, etd = excluded.etd, eta = excluded.eta
      where (old.mode, old.load_port_id, old.load_terminal_code, old.load_terminal, old.discharge_port_id,
          old.discharge_terminal_code, old.discharge_terminal, old.vessel, old.vessel_imo, old.service_code, old.voyage,
          old.etd, old.eta)
        is distinct from (excluded.mode, excluded.load_port_id, excluded.load_terminal_code, excluded.load_terminal,
          excluded.discharge_port_id, excluded.discharge_terminal_code, excluded.discharge_terminal, excluded.vessel,
          excluded.vessel_imo, excluded.service_code, excluded.voyage, excluded.etd, excluded.eta)
      returning sailing_id
    ), gone as (
      delete from sailing_legs old
      where old.sailing_id in (select sailing_id from incoming)
        and not exists (select from incoming i where i.sailing_id = old.sailing_id and i.sequence = old.sequence)
      returning sailing_id
    ), written as (
      update sailings set updated_at = ${at}
      where id in (select sailing_id from changed union all select sailing_id from gone)
      returning route_id
    )
    ${noteWritten}`);
};

const legsOf = (incoming: SQL): SQL => sql`
  select sailings.id as sailing_id, leg.*
  from ${incoming} r
  join routes on routes.code = r.route_code
  join sailings on (sailings.route_id, sailings.service_code, sailings.voyage) = (routes.id, r.service_code, r.voyage)
  cross join lateral jsonb_to_recordset(r.legs) as leg(sequence smallint, mode transport_mode, load_port_id integer,
    load_terminal_code text, load_terminal text, discharge_port_id integer, discharge_terminal_code text,
    discharge_terminal text, vessel text, vessel_imo text, service_code text, voyage text, etd timestamptz(3),
    eta timestamptz(3))`;
