/** Who issues the invoices, from the configuration. Copied to every invoice when it is issued. */
export type Seller = {
  /** The legal name. */
  name: string;
  /** Street, postal code and city. Without the country. */
  addressLines: string[];
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** VAT or other tax number, as printed. */
  taxId: string | null;
  email: string | null;
};
