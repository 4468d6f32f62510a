/** Who is invoiced, as an account keeps it and as its invoices copy it. */
export type BillingDetails = {
  /** Of the company, or of the person. */
  name: string;
  addressLine1: string;
  addressLine2: string | null;
  postalCode: string | null;
  city: string;
  region: string | null;
  /** ISO 3166-1 alpha-2. */
  country: string;
  /** VAT or other tax number, in the form in which it is printed. */
  taxId: string | null;
  /** The buyer's purchase-order number. */
  purchaseOrder: string | null;
  /** Where the buyer wants invoices. Null: the account's address. */
  email: string | null;
};
