/** A route's schedule as CSV, one row per leg. Times are by the clocks of the ports. */
import type { LoaderFunctionArgs } from "@remix-run/node";
import { summariesOf } from "#app/domain/catalogue/browse.server.ts";
import { isoPortTime } from "#app/domain/catalogue/port-time.ts";
import { type Cell, csv } from "#app/domain/csv.ts";
import { isoInstant } from "#app/domain/dates.ts";
import type { Sailing, SailingLeg } from "#app/domain/schedules/sailing.ts";
import { readRouteSchedule } from "#app/domain/subscriptions/schedules.server.ts";
import { csvResponse, fileName, orNoFile } from "#app/portal/download.server.ts";
import { idOf } from "#app/portal/params.ts";
import { visitOfReader } from "#app/portal/session.server.ts";

export const loader = async (args: LoaderFunctionArgs): Promise<Response> => {
  const id = idOf(args.params.route_id);
  const { ctx, caller } = await visitOfReader(args, id, `/routes/${id}/schedule`);
  const sailings = await orNoFile(readRouteSchedule(ctx, caller, { id }));
  const [route] = await summariesOf(ctx, [id]);
  const rows = sailings.flatMap((sailing) =>
    sailing.legs.map((leg) => Object.values(columns).map((cellOf) => cellOf(sailing, leg))),
  );
  const name = fileName(`${route?.code ?? id}_schedule`, "csv");
  return csvResponse(csv(Object.keys(columns), rows), name);
};

const atOrigin = ({ legs: [{ load }] }: Sailing, at: Date | null): Cell => at && isoPortTime(at, load.timezone);

const columns: Record<string, (sailing: Sailing, leg: SailingLeg) => Cell> = {
  route_code: ({ route }) => route.code,
  service_code: ({ serviceCode }) => serviceCode,
  voyage: ({ voyage }) => voyage,
  status: ({ status }) => status,
  service_level: ({ serviceLevel }) => serviceLevel,
  documentation_cut_off: (sailing) => atOrigin(sailing, sailing.cutOffs.documentation),
  vgm_cut_off: (sailing) => atOrigin(sailing, sailing.cutOffs.vgm),
  cargo_cut_off: (sailing) => atOrigin(sailing, sailing.cutOffs.cargo),
  leg: (_, { sequence }) => sequence,
  mode: (_, { mode }) => mode,
  load_port: (_, { load }) => load.unlocode,
  load_terminal_code: (_, { load }) => load.terminalCode,
  load_terminal: (_, { load }) => load.terminal,
  discharge_port: (_, { discharge }) => discharge.unlocode,
  discharge_terminal_code: (_, { discharge }) => discharge.terminalCode,
  discharge_terminal: (_, { discharge }) => discharge.terminal,
  vessel: (_, { vessel }) => vessel,
  vessel_imo: (_, { vesselImo }) => vesselImo,
  leg_service_code: (_, leg) => leg.serviceCode,
  leg_voyage: (_, leg) => leg.voyage,
  etd: (_, { etd, load }) => isoPortTime(etd, load.timezone),
  eta: (_, { eta, discharge }) => isoPortTime(eta, discharge.timezone),
  updated_at: ({ updatedAt }) => isoInstant(updatedAt),
};
