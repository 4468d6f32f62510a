/** Sailings as JSON documents, in the names of DCSA Commercial Schedules 1.0. */
import { isoPortTime } from "../../domain/catalogue/port-time.ts";
import { isoInstant, millisecondsPerDay } from "../../domain/dates.ts";
import type { PortCall, Sailing, SailingLeg, TransportMode } from "../../domain/schedules/sailing.ts";

export const scheduleDocument = (sailing: Sailing) => {
  const first = sailing.legs[0];
  const last = sailing.legs.at(-1) ?? first;
  const containerYard = sailing.route.cargoType === "container" ? ("CY" as const) : null;
  return {
    id: sailing.id,
    route_id: sailing.route.id,
    route_code: sailing.route.code,
    route_name: sailing.route.name,
    status: sailing.status,
    service_level: sailing.serviceLevel,
    etd: isoInstant(sailing.etd),
    eta: isoInstant(sailing.eta),
    published_at: isoInstant(sailing.publishedAt),
    updated_at: isoInstant(sailing.updatedAt),
    routingReference: `${sailing.route.code}/${sailing.serviceCode}/${sailing.voyage}`,
    placeOfReceipt: callDocument(first.load, sailing.etd),
    placeOfDelivery: callDocument(last.discharge, sailing.eta),
    receiptTypeAtOrigin: containerYard,
    deliveryTypeAtDestination: containerYard,
    transitTime: Math.round((sailing.eta.getTime() - sailing.etd.getTime()) / millisecondsPerDay),
    cutOffTimes: cutOffDocuments(sailing),
    legs: sailing.legs.map((leg) => legDocument(leg, sailing.route.carrier.code)),
  };
};

const cutOffDocuments = ({ cutOffs, legs: [{ load }] }: Sailing) =>
  (
    [
      ["DCO", cutOffs.documentation],
      ["VCO", cutOffs.vgm],
      ["FCO", cutOffs.cargo],
    ] as const
  ).flatMap(([cutOffDateTimeCode, at]) =>
    at === null ? [] : [{ cutOffDateTimeCode, cutOffDateTime: isoPortTime(at, load.timezone) }],
  );

const legDocument = (leg: SailingLeg, carrierCode: string) => ({
  sequenceNumber: leg.sequence,
  transport: {
    modeOfTransport: leg.mode.toUpperCase() as Uppercase<TransportMode>,
    servicePartners: [{ carrierCode, carrierServiceCode: leg.serviceCode, carrierExportVoyageNumber: leg.voyage }],
    vessel: leg.vessel === null ? null : { vesselIMONumber: leg.vesselImo, name: leg.vessel },
  },
  departure: callDocument(leg.load, leg.etd),
  arrival: callDocument(leg.discharge, leg.eta),
});

const callDocument = ({ port, unlocode, terminal, terminalCode, timezone }: PortCall, at: Date) => ({
  facilityTypeCode: "POTE" as const,
  location: {
    locationName: port,
    UNLocationCode: unlocode,
    facility: terminal === null ? null : facilityDocument(terminal, terminalCode),
  },
  dateTime: isoPortTime(at, timezone),
});

const facilityDocument = (terminal: string, facilityCode: string | null) => ({
  facility_name: terminal,
  facilityCode,
  facilityCodeListProvider: facilityCode === null ? null : ("SMDG" as const),
});
