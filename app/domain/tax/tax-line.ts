/** One tax on one line, or summed over a document's lines. */
export type Tax = {
  /** `VAT`, `GST`. */
  name: string;
  /** Whose tax it is: a country, or one of its regions, `US-TX`. */
  jurisdiction: string;
  /** A decimal: `19`, `8.1`. */
  ratePercent: string;
  taxableCents: number;
  taxCents: number;
};
