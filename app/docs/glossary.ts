/** Terms of shipping and of this service. */
export type Entry = { term: string; meaning: string };

export const glossary: readonly { title: string; id: string; entries: readonly Entry[] }[] = [
  {
    title: "Places and ways",
    id: "places",
    entries: [
      {
        term: "UN/LOCODE",
        meaning:
          "The United Nations' code of a place: two letters for the country and three characters for the place. CNSHA is how the trade writes Shanghai; its official code, CNSGH, is understood as well.",
      },
      { term: "Region", meaning: "The widest division of the catalogue: a coast or a sea with its ports." },
      {
        term: "Trade lane",
        meaning:
          "A directional trade between two regions. Westbound and eastbound are two lanes, with rates of their own.",
      },
      { term: "Route group", meaning: "Routes of one lane that share a cargo type and an area of origin." },
      {
        term: "Route",
        meaning: "A shipping path between an origin port and a destination port, operated by one carrier.",
      },
      {
        term: "Waypoint, passage",
        meaning: "A named point that a ship passes; a passage is a canal or strait, like Suez or Malacca.",
      },
      {
        term: "Nautical mile",
        meaning: "1,852 metres. All distances are in nautical miles, along the sea way. They are not for navigation.",
      },
      { term: "POL, POD", meaning: "Port of loading and port of discharge: where cargo comes on board and leaves it." },
      { term: "Transhipment", meaning: "A change of ship on the way." },
    ],
  },
  {
    title: "Cargo and capacity",
    id: "cargo",
    entries: [
      {
        term: "TEU",
        meaning:
          "Twenty-foot equivalent unit: the space of one 20-foot container. A 40-foot container takes two. Container capacity is counted in TEU.",
      },
      {
        term: "22G1, 42G1, 45G1, 45R1",
        meaning:
          "ISO 6346 size-type codes of containers: 20-foot standard, 40-foot standard, 40-foot high-cube, 40-foot high-cube refrigerated.",
      },
      { term: "Bulk", meaning: "Loose cargo such as ore, coal or grain. Capacity in tonnes DWT." },
      { term: "DWT", meaning: "Deadweight: the weight a ship can carry, in tonnes." },
      { term: "Ro-Ro", meaning: "Roll-on, roll-off: cargo that is driven on board. Capacity in lane metres." },
      { term: "Lane metre", meaning: "One metre of a vehicle lane on a Ro-Ro ship's deck." },
      { term: "Break bulk", meaning: "Single pieces too large or odd for containers. Capacity in freight tonnes." },
      {
        term: "Freight tonne",
        meaning: "One tonne or one cubic metre, whichever is more: what break bulk is charged by.",
      },
      {
        term: "Booking status",
        meaning:
          "open: space is sold freely; limited: little is left; full: none is left; closed: bookings are no longer taken.",
      },
    ],
  },
  {
    title: "Schedules",
    id: "schedules",
    entries: [
      { term: "ETD, ETA", meaning: "Estimated time of departure and of arrival." },
      {
        term: "Cut-off: DCO, VCO, FCO",
        meaning:
          "The last moment before departure for shipping instructions (DCO), for the verified gross mass of containers (VCO), and for delivering the cargo to the terminal (FCO).",
      },
      {
        term: "Sailing, leg",
        meaning: "A departure that a carrier has published, and the part of it on one vessel from port to port.",
      },
      { term: "IMO number", meaning: "A ship's number for life: seven digits, the last one a check digit." },
      { term: "Transit time", meaning: "Days from departure at the origin port to arrival at the destination port." },
      {
        term: "Service level",
        meaning: "express, standard or economy: how fast the route is sailed, and at which rate.",
      },
      { term: "Voyage", meaning: "One sailing of one ship in one direction, under the carrier's own number." },
      { term: "Blank sailing", meaning: "A scheduled departure that the carrier cancels." },
      {
        term: "Freshness",
        meaning: "How often a period's data is renewed: real_time, daily or weekly. Fresher data costs more.",
      },
    ],
  },
  {
    title: "Rates and surcharges",
    id: "surcharges",
    entries: [
      { term: "Base rate", meaning: "The price of carriage for one unit, before surcharges." },
      { term: "BAF", meaning: "Bunker adjustment factor: follows the price of fuel." },
      { term: "LSS", meaning: "Low sulphur surcharge: for cleaner fuel." },
      { term: "CAF", meaning: "Currency adjustment factor: covers changes of exchange rates." },
      { term: "OTHC, DTHC", meaning: "Terminal handling charges at origin and at destination." },
      {
        term: "ISPS",
        meaning: "Security surcharge, named after the International Ship and Port Facility Security Code.",
      },
      { term: "PSS", meaning: "Peak season surcharge." },
      { term: "GRI", meaning: "General rate increase, announced by a carrier for a whole lane." },
      { term: "WRS", meaning: "War risk surcharge." },
      { term: "CGS", meaning: "Congestion surcharge: for ports where ships have to wait." },
      { term: "SCS, PCS", meaning: "Suez Canal surcharge and Panama Canal surcharge." },
    ],
  },
  {
    title: "This service",
    id: "service",
    entries: [
      {
        term: "Period",
        meaning: "A time-based segment of one route's data, with a price of its own. What one subscribes to.",
      },
      {
        term: "Report",
        meaning: "One data point of a period: a rate, capacity, schedule or performance as it was observed.",
      },
      { term: "Subscription", meaning: "Access to one route's data for a term, for one account." },
      {
        term: "Standing",
        meaning: "Whether an account may use what it has bought: good, or suspended, as after a payment dispute.",
      },
      { term: "Minor units", meaning: "Money is written as whole cents: 132300 is $1,323.00." },
    ],
  },
];
