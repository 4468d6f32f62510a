import type { BillingDetails } from "./buyer.ts";

/** Address and country, one line each. @param countryName in words */
export const addressLines = (
  { addressLine1, addressLine2, postalCode, city, region, country }: BillingDetails,
  countryName: (code: string) => string,
): string[] =>
  [addressLine1, addressLine2, [postalCode, city].filter(Boolean).join(" "), region, countryName(country)].flatMap(
    (line) => line || [],
  );
