import type { Seller } from "./seller.ts";

/** An example company, so that invoices of test mode are complete. */
export const testSeller: Seller = {
  name: "Shipping Route Data Service",
  addressLines: ["1 Example Quay", "20457 Hamburg"],
  country: "DE",
  taxId: "DE123456789",
  email: null,
};
