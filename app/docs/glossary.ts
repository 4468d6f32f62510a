/** Terms of shipping and of this service. */
import { codeMeanings, type ExplainedCode } from "../portal/components/code-meanings.ts";
import { type TermName, terms } from "../portal/components/terms.ts";

export type Entry = { term: string; meaning: string };

const short = { ...terms, ...codeMeanings };

/** A term that pages explain: what they say, then the rest. */
const explained = (term: TermName | ExplainedCode, more = ""): Entry => ({
  term,
  meaning: `${short[term]}. ${more}`.trim(),
});

export const glossary: readonly { title: string; id: string; entries: readonly Entry[] }[] = [
  {
    title: "Places and routing",
    id: "places",
    entries: [
      explained(
        "UN/LOCODE",
        "Two letters for the country and three characters for the place. CNSHA is the usual code of Shanghai; its official code, CNSGH, works as well.",
      ),
      { term: "Region", meaning: "The widest division of the catalogue: a coast or a sea with its ports." },
      {
        term: "Trade lane",
        meaning: "The trade from one region to another. Westbound and eastbound are two lanes with their own rates.",
      },
      {
        term: "Headhaul, backhaul",
        meaning: "The direction of a trade that carries most of the cargo, and the opposite direction.",
      },
      { term: "Route group", meaning: "Routes on one trade lane that share a cargo type and an area of origin." },
      { term: "Route", meaning: "A carrier's service from an origin port to a destination port." },
      {
        term: "Port pair",
        meaning: "An origin port and a destination port. Several carriers may serve the same pair.",
      },
      {
        term: "Waypoint, passage",
        meaning:
          "A waypoint is a named point that a ship passes. A passage is a canal or strait, such as Suez or Malacca.",
      },
      {
        term: "Nautical mile",
        meaning: "1,852 metres, written nm. All distances are sea distances in nautical miles. Not for navigation.",
      },
      {
        term: "Knot",
        meaning: "One nautical mile per hour.",
      },
      explained("POL", "Where the cargo is loaded."),
      explained("POD", "Where the cargo is discharged."),
      explained("Transhipment port", "A direct sailing has none."),
    ],
  },
  {
    title: "Cargo and capacity",
    id: "cargo",
    entries: [
      explained(
        "TEU",
        "The space of one 20′ container. A 40′ container takes two. Container capacity is counted in TEU.",
      ),
      explained("FFE", "The space of one 40′ container, which is two TEU. Also written FEU."),
      explained(
        "ISO 6346",
        "Two characters for length and height, two for the type: G is general purpose, R refrigerated.",
      ),
      { term: "22G1", meaning: "20′ dry: a 20-foot standard container. Size and type code of ISO 6346." },
      { term: "42G1", meaning: "40′ dry: a 40-foot standard container, 8′6″ high." },
      { term: "45G1", meaning: "40′ high cube: a 40-foot container, 9′6″ high. Market rates usually refer to it." },
      { term: "22R1", meaning: "20′ reefer: a 20-foot refrigerated container." },
      { term: "45R1", meaning: "40′ reefer: a 40-foot refrigerated container, 9′6″ high." },
      { term: "Bulk", meaning: "Loose cargo such as ore, coal or grain. Capacity is in tonnes DWT." },
      explained("DWT", "The weight that a ship can carry, in tonnes."),
      { term: "Ro-Ro", meaning: "Roll-on, roll-off: cargo that is driven on board. Capacity is in lane metres." },
      { term: "Lane metre", meaning: "One metre of a vehicle lane on the deck of a Ro-Ro ship." },
      { term: "Break bulk", meaning: "Cargo that does not fit containers. Capacity is in freight tonnes." },
      {
        term: "Freight tonne",
        meaning:
          "One tonne or one cubic metre, whichever is more. Break bulk is charged per freight tonne. Also: revenue tonne.",
      },
      { term: "Space available", meaning: "The capacity of a sailing that is not booked yet." },
      {
        term: "Booking status",
        meaning: "Open: space available. Limited: little space left. Full: no space left. Closed: no more bookings.",
      },
      { term: "Nominal capacity", meaning: "The total capacity of a vessel, booked or not." },
    ],
  },
  {
    title: "Schedules",
    id: "schedules",
    entries: [
      explained("ETD", "Shown in the local time of the port of loading, with its offset from UTC."),
      explained("ETA", "Shown in the local time of the port of discharge, with its offset from UTC."),
      explained("Cut-off", "DCO, VCO and FCO are three of them."),
      explained("DCO", "The last time to send shipping instructions."),
      explained("VCO", "The last time to send the verified gross mass of containers."),
      explained("FCO", "The last time to deliver the cargo to the terminal."),
      explained("VGM", "The weight of a packed container. SOLAS requires it before loading."),
      { term: "Sailing, leg", meaning: "A published departure. A leg is the part of it on one vessel." },
      explained("IMO", "Seven digits that a ship keeps for life. The last one is a check digit."),
      explained(
        "Transit time",
        "It depends on the service level. Indicative ones are those of the carrier's schedule.",
      ),
      {
        term: "Service level",
        meaning: "Express, standard or economy: how fast the cargo travels, and at which rate.",
      },
      { term: "Voyage", meaning: "One trip of a vessel in one direction, with the carrier's voyage number." },
      { term: "Blank sailing", meaning: "A scheduled departure that the carrier cancels." },
      explained("On-time performance", "Also: schedule reliability."),
      {
        term: "Freshness",
        meaning: "How often a period's data is updated: real-time, daily or weekly. Fresher data costs more.",
      },
    ],
  },
  {
    title: "Rates and surcharges",
    id: "surcharges",
    entries: [
      explained("Base rate"),
      { term: "Surcharge", meaning: "An amount charged in addition to the base rate. Mandatory ones always apply." },
      explained("All-in rate", "Optional surcharges are not included."),
      { term: "Median", meaning: "The middle of the rates on a trade lane: half are below it, half are above." },
      explained("B/L", "The carrier's receipt for the cargo. Some fees are charged per B/L."),
      explained("BAF", "Follows the price of fuel."),
      explained("LSS", "Covers the cost of cleaner fuel."),
      explained("ETS", "Covers emission allowances that carriers buy for voyages to, from and within the EU."),
      explained("CAF", "Covers changes in exchange rates."),
      explained("THC", "For loading or discharging at a terminal."),
      explained("OTHC", "For loading at the port of loading."),
      explained("DTHC", "For discharging at the port of discharge."),
      explained("ISPS", "Named after the International Ship and Port Facility Security Code."),
      explained("DOC", "For the bill of lading and other documents."),
      explained("PSS", "Applies in months of high demand."),
      explained("GRI", "A carrier announces it for a whole trade lane."),
      explained("WRS", "Applies to voyages through areas of conflict."),
      explained("CGS", "Applies at ports where ships have to wait."),
      explained("SCS", "For routes through the Suez Canal."),
      explained("PCS", "For routes through the Panama Canal."),
      explained("DEM", "Charged per day when loading or discharging takes longer than agreed."),
      explained("HH", "For high or heavy Ro-Ro cargo, such as excavators and buses."),
      explained("HL", "For pieces that need heavy-lift gear."),
      explained("OL", "For pieces that are longer than usual."),
    ],
  },
  {
    title: "This service",
    id: "service",
    entries: [
      { term: "Period", meaning: "A time-based segment of one route's data, with its own price. You subscribe to it." },
      { term: "Report", meaning: "One observation of a period: a rate, capacity, schedule or on-time performance." },
      { term: "Subscription", meaning: "Access to the data of one route for a term, for one account." },
      { term: "Term", meaning: "How long a subscription lasts: 1, 2, 3, 6 or 12 months." },
      {
        term: "Standing",
        meaning: "Good, or suspended: a suspended account cannot read data, for example after a payment dispute.",
      },
      { term: "Minor units", meaning: "Amounts in the API are whole cents: 132300 is $1,323.00." },
    ],
  },
];
