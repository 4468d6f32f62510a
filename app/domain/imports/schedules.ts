/** Schedules: one line per leg of a sailing. Most sailings have one leg; each transhipment adds one. */
import { z } from "zod";
import { isImoNumber } from "../schedules/imo-number.ts";
import {
  because,
  code,
  instant,
  instantOrNone,
  sailingStatus,
  serviceLevelOrNone,
  textOrNone,
  transportMode,
  unlocode,
  wholeNumber,
} from "./cells.ts";
import type { ImportFormat } from "./kind.ts";
import { parsedRow } from "./parse-cells.ts";

const cutOffs = ["documentation_cut_off", "vgm_cut_off", "cargo_cut_off"] as const;

const legLine = z
  .object({
    route_code: code,
    service_code: code,
    voyage: code,
    leg: wholeNumber("leg", { from: 1, to: 9 }),
    status: sailingStatus,
    service_level: serviceLevelOrNone,
    transport_mode: transportMode,
    vessel: textOrNone,
    vessel_imo: z
      .string()
      .default("")
      .refine(
        (value) => value === "" || isImoNumber(value),
        because(
          "malformed",
          "Invalid IMO ship number: it has seven digits, and the last is a check digit. Correct it or leave it empty",
        ),
      ),
    leg_service_code: textOrNone,
    leg_voyage: textOrNone,
    load_unlocode: unlocode,
    load_terminal_code: textOrNone,
    load_terminal: textOrNone,
    discharge_unlocode: unlocode,
    discharge_terminal_code: textOrNone,
    discharge_terminal: textOrNone,
    etd: instant,
    eta: instant,
    documentation_cut_off: instantOrNone,
    vgm_cut_off: instantOrNone,
    cargo_cut_off: instantOrNone,
  })
  .superRefine((line, ctx) => {
    const refuse = (column: keyof typeof line, error: ReturnType<typeof because>) =>
      ctx.addIssue({ code: "custom", path: [column], message: error.error, params: error.params });
    if (line.eta <= line.etd)
      refuse("eta", because("contradiction", "The arrival must be after the departure. Correct one of them"));
    if (line.load_unlocode === line.discharge_unlocode) {
      refuse("discharge_unlocode", because("same_port", "The same port as the port of loading. Correct one of them"));
    }
    for (const column of cutOffs) {
      const cutOff = line[column];
      if (cutOff === null) continue;
      if (line.leg > 1)
        refuse(column, because("contradiction", "Only the first leg has cut-offs. Leave this cell empty"));
      else if (cutOff > line.etd)
        refuse(column, because("contradiction", "The cut-off must not be after the departure. Correct one of them"));
    }
  });

export const schedules = {
  syntax: "csv",
  columns: {
    required: ["route_code", "service_code", "voyage", "leg", "load_unlocode", "discharge_unlocode", "etd", "eta"],
    optional: [
      "status",
      "service_level",
      "transport_mode",
      "vessel",
      "vessel_imo",
      "leg_service_code",
      "leg_voyage",
      "load_terminal_code",
      "load_terminal",
      "discharge_terminal_code",
      "discharge_terminal",
      ...cutOffs,
    ],
  },
  template: "schedules.csv",
  about:
    "One line per leg. Route, service and voyage identify a sailing; include all its legs. Give times with their UTC offset.",
  staging: {
    route_code: "text",
    service_code: "text",
    voyage: "text",
    leg: "smallint",
    status: "sailing_status",
    service_level: "service_level_name",
    transport_mode: "transport_mode",
    vessel: "text",
    vessel_imo: "text",
    leg_service_code: "text",
    leg_voyage: "text",
    load_unlocode: "text",
    load_terminal_code: "text",
    load_terminal: "text",
    discharge_unlocode: "text",
    discharge_terminal_code: "text",
    discharge_terminal: "text",
    etd: "timestamptz(3)",
    eta: "timestamptz(3)",
    documentation_cut_off: "timestamptz(3)",
    vgm_cut_off: "timestamptz(3)",
    cargo_cut_off: "timestamptz(3)",
  },
  parseRow(values, note) {
    const line = parsedRow(legLine, values, note);
    if (!line) return null;
    return {
      ...line,
      vessel: line.vessel || null,
      vessel_imo: line.vessel_imo || null,
      leg_service_code: line.leg_service_code || line.service_code,
      leg_voyage: line.leg_voyage || line.voyage,
      load_terminal_code: line.load_terminal_code || null,
      load_terminal: line.load_terminal || null,
      discharge_terminal_code: line.discharge_terminal_code || null,
      discharge_terminal: line.discharge_terminal || null,
    };
  },
} as const satisfies ImportFormat;
