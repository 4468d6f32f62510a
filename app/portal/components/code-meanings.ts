/** The codes and abbreviations of the data, with their meaning. The glossary explains each of them. */
export const codeMeanings = {
  POL: "Port of loading",
  POD: "Port of discharge",
  DCO: "Documentation cut-off",
  VCO: "Verified gross mass cut-off",
  FCO: "Cargo cut-off",
  VGM: "Verified gross mass",
  FFE: "Forty-foot equivalent unit",
  DWT: "Deadweight tonnage",
  "B/L": "Bill of lading",
  BAF: "Bunker adjustment factor",
  LSS: "Low sulphur surcharge",
  ETS: "EU Emissions Trading System surcharge",
  CAF: "Currency adjustment factor",
  THC: "Terminal handling charge",
  OTHC: "Terminal handling charge at origin",
  DTHC: "Terminal handling charge at destination",
  ISPS: "Port and ship security surcharge",
  DOC: "Documentation fee",
  PSS: "Peak season surcharge",
  GRI: "General rate increase",
  WRS: "War risk surcharge",
  CGS: "Congestion surcharge",
  SCS: "Suez Canal surcharge",
  PCS: "Panama Canal surcharge",
  DEM: "Demurrage",
  HH: "High and heavy surcharge",
  HL: "Heavy-lift surcharge",
  OL: "Over-length surcharge",
} as const satisfies Record<string, string>;

export type ExplainedCode = keyof typeof codeMeanings;

/** Null: the code is not explained. */
export const meaningOf = (code: string): string | null =>
  Object.hasOwn(codeMeanings, code) ? codeMeanings[code as ExplainedCode] : null;
