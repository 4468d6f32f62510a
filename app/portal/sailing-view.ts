/** Sailings for a page: instants with the ports' local time. */
import { type CutOffs, type PortCall, type Sailing, transhipmentPorts } from "../domain/schedules/sailing.ts";
import { cutOffNames } from "./cut-off-names.ts";
import { type CallTime, callTime } from "./report-view.ts";

export type SailingView = ReturnType<typeof sailingView>;

export const sailingView = ({ id, status, serviceCode, voyage, etd, eta, cutOffs, legs }: Sailing) => {
  const { load } = legs[0];
  const last = legs.at(-1) ?? legs[0];
  return {
    id,
    isCancelled: status === "cancelled",
    serviceCode,
    voyage,
    etd: callTime(etd, load.timezone),
    eta: callTime(eta, last.discharge.timezone),
    from: placeView(load),
    to: placeView(last.discharge),
    cutOffs: (Object.keys(cutOffNames) as (keyof CutOffs)[]).flatMap(
      (kind): { kind: keyof CutOffs; at: CallTime }[] => {
        const at = cutOffs[kind];
        return at === null ? [] : [{ kind, at: callTime(at, load.timezone) }];
      },
    ),
    /** Names of the transhipment ports, in order. */
    via: transhipmentPorts({ legs }).map(({ port }) => port),
    legs: legs.map((leg) => ({
      sequence: leg.sequence,
      vessel: leg.vessel,
      vesselImo: leg.vesselImo,
      serviceCode: leg.serviceCode,
      voyage: leg.voyage,
      from: placeView(leg.load),
      to: placeView(leg.discharge),
      etd: callTime(leg.etd, leg.load.timezone),
      eta: callTime(leg.eta, leg.discharge.timezone),
    })),
  };
};

const placeView = ({ unlocode, port, terminal, terminalCode }: PortCall) => ({
  unlocode,
  port,
  terminal,
  terminalCode,
});
