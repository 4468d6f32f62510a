/**
 * The terms that pages explain where they first appear, with their meaning. The glossary explains each of them. Pages carry
 * this list in their script; the meaning of codes in the data comes with the data, see `code-meanings.ts`.
 */
export const terms = {
  "UN/LOCODE": "United Nations code of a port or place",
  ETD: "Estimated time of departure",
  ETA: "Estimated time of arrival",
  IMO: "International Maritime Organization ship number",
  TEU: "Twenty-foot equivalent unit",
  "ISO 6346": "Standard for container size and type codes, such as 45G1",
  "Transit time": "Days from departure at the port of loading to arrival at the port of discharge",
  "Transhipment port": "Port where the cargo is moved from one vessel to another",
  "Cut-off": "Last time before departure for documents, container weights or delivery of the cargo",
  "On-time performance": "Share of sailings that arrived on time",
  "Base rate": "Price of carriage for one unit, before surcharges",
  "All-in rate": "Base rate plus all mandatory surcharges",
} as const satisfies Record<string, string>;

export type TermName = keyof typeof terms;

/** The id of a glossary entry: `UN/LOCODE` is `un-locode`. */
export const termId = (term: string): string =>
  term
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
