/** Schedules. Fields in camel case are named by DCSA (Commercial Schedules 1.0, point to point). */
import { z } from "zod";
import { unlocode } from "../../domain/catalogue/browse.ts";
import { serviceLevelNames } from "../../domain/catalogue/enums.ts";
import { sailingStatuses, transportModes } from "../../domain/schedules/enums.ts";
import { longestWindowDays } from "../../domain/schedules/policy.ts";
import { endpoint } from "../endpoint.ts";
import { demoSample } from "../sample-route.ts";
import { unlocodeShape } from "./catalogue.ts";
import { departureText, id, instant, localInstant, nextCursor, pageQuery } from "./shapes.ts";

const modesOfTransport = transportModes.map((mode) => mode.toUpperCase() as Uppercase<typeof mode>);

const scheduleLocation = z.object({
  locationName: z.string().meta({ description: "The port.", example: "Shanghai" }),
  UNLocationCode: unlocodeShape,
  facility: z
    .object({
      facility_name: z.string().meta({ example: "Shanghai Shengdong International Container Terminal" }),
      facilityCode: z.string().nullable().meta({ example: "SHENG" }),
      facilityCodeListProvider: z.literal("SMDG").nullable(),
    })
    .nullable()
    .meta({ description: "The terminal." }),
});

const transportCall = z
  .object({
    facilityTypeCode: z.literal("POTE").meta({ description: "Port terminal." }),
    location: scheduleLocation,
    dateTime: localInstant.meta({ description: "Estimated, in the local time of the port." }),
  })
  .meta({ id: "TransportCall" });

const scheduleLeg = z.object({
  sequenceNumber: z.int(),
  transport: z.object({
    modeOfTransport: z.enum(modesOfTransport).meta({ example: "VESSEL" }),
    servicePartners: z.array(
      z.object({
        carrierCode: z.string().meta({ example: "PEL9" }),
        carrierServiceCode: z.string().meta({ example: "PE47" }),
        carrierExportVoyageNumber: z.string().meta({ example: "2648W" }),
      }),
    ),
    vessel: z
      .object({
        vesselIMONumber: z
          .string()
          .nullable()
          .meta({ description: "The IMO number, seven digits with the check digit.", example: "9074729" }),
        name: z.string().meta({ example: "Pelorin Meridian Bridge" }),
      })
      .nullable()
      .meta({ description: "The vessel. Null: not known yet, or the sailing is cancelled." }),
  }),
  departure: transportCall,
  arrival: transportCall,
});

const schedule = z
  .object({
    id: z.int().meta({ example: 4711 }),
    route_id: id.meta({ example: demoSample.routeId }),
    route_code: z.string().meta({ example: "C-CNSHA-NLRTM-PEL9" }),
    route_name: z.string().meta({ example: "Shanghai – Rotterdam" }),
    status: z.enum(sailingStatuses).meta({ description: "cancelled: a blank sailing." }),
    service_level: z
      .enum(serviceLevelNames)
      .nullable()
      .meta({ description: "Null: the carrier has not published one.", example: "standard" }),
    etd: instant.meta({ description: "Estimated time of departure, in UTC.", example: "2026-11-24T06:00:00.000Z" }),
    eta: instant.meta({ description: "Estimated time of arrival, in UTC.", example: "2026-12-25T18:00:00.000Z" }),
    published_at: instant,
    updated_at: instant,
    routingReference: z.string().meta({
      description: "Identifies the sailing permanently, even if it is delayed or its vessel changes.",
      example: "C-CNSHA-NLRTM-PEL9/PE47/2648W",
    }),
    placeOfReceipt: transportCall,
    placeOfDelivery: transportCall,
    receiptTypeAtOrigin: z.literal("CY").nullable().meta({ description: "Container yard; null for other cargo." }),
    deliveryTypeAtDestination: z.literal("CY").nullable(),
    transitTime: z.int().meta({ description: "Days from departure to arrival, rounded.", example: 31 }),
    cutOffTimes: z
      .array(
        z.object({
          cutOffDateTimeCode: z
            .enum(["DCO", "VCO", "FCO"])
            .meta({ description: "DCO: documentation; VCO: verified gross mass; FCO: delivery of the cargo." }),
          cutOffDateTime: localInstant.meta({ description: "Local time of the origin port." }),
        }),
      )
      .meta({ description: "The cut-offs that the carrier has published." }),
    legs: z.array(scheduleLeg).meta({ description: "One leg per vessel. Two legs have one transhipment." }),
  })
  .meta({ id: "Schedule" });

const port = (end: string, example: string) =>
  unlocode.optional().meta({ description: `UN/LOCODE or alternative code of the ${end} port.`, example });

export const schedules = endpoint({
  id: "listSchedules",
  tag: "Routes",
  method: "GET",
  path: "/route-access/schedules",
  access: "bearer",
  summary: "List the sailings of subscribed routes",
  description: [
    "Published departures of all routes that the account has an active subscription to, soonest first, with legs, terminals",
    "and cut-offs. Fields in camel case are defined by DCSA Commercial Schedules 1.0. Port times are local, with their UTC offset.",
    "Without subscriptions the list is empty.",
  ].join(" "),
  query: z.object({
    origin: port("origin", "CNSHA"),
    destination: port("destination", "NLRTM"),
    departure_from: departureText.optional().meta({
      description: "First day, in the local time of the origin port, or first time with an offset. Default: today.",
      example: "2026-11-20",
    }),
    departure_to: departureText.optional().meta({
      description: `Last day or time, inclusive. At most ${longestWindowDays} days after departure_from, which is also the default.`,
      example: "2027-02-18",
    }),
    ...pageQuery,
  }),
  answer: {
    status: 200,
    description: "A page of sailings.",
    schema: z.object({ schedules: z.array(schedule), next_cursor: nextCursor }),
  },
  conditional: true,
});
