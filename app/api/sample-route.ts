/** The routes that samples are about. */
export type SampleRoute = {
  /** For samples that read data. */
  routeId: number;
  /** For samples about several routes. */
  otherRouteId: number;
  /** On sale, maybe of another route: sample routes are not sold. */
  periodId: number;
  /** UN/LOCODEs of a pair with routes on sale. */
  origin: string;
  destination: string;
};

export const demoRouteCode = "C-CNSHA-NLRTM-PEL9";

/** Shanghai – Rotterdam, with its ids in a new demo. */
export const demoSample: SampleRoute = {
  routeId: 109,
  otherRouteId: 110,
  periodId: 545,
  origin: "CNSHA",
  destination: "NLRTM",
};
