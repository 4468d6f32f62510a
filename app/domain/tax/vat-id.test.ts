import { describe, expect, it } from "vitest";
import { countryCodes, countryName, isEuMember } from "./countries.ts";
import { hasVatIdFormat, readTaxId } from "./vat-id.ts";

describe("A tax number", () => {
  it.each([
    ["DE", "DE 123 456 789", "DE123456789"],
    ["DE", "123456789", "DE123456789"],
    ["AT", "atu12345678", "ATU12345678"],
    ["GR", "EL123456789", "EL123456789"],
    ["NL", "NL123456789B01", "NL123456789B01"],
    ["FR", "FRXX123456789", "FRXX123456789"],
    ["ES", "ESX1234567R", "ESX1234567R"],
    ["IE", "IE1234567WA", "IE1234567WA"],
    ["CH", "CHE-123.456.789 MWST", "CHE123456789MWST"],
    ["GB", "GB 999 9999 73", "GB999999973"],
    ["US", "12-3456789", "12-3456789"],
    ["SG", "201912345k", "201912345K"],
  ])("of %s, written %s, becomes %s", (country, written, stored) => {
    expect(readTaxId(written, country)).toBe(stored);
  });

  it.each([
    ["DE", "DE12345678"],
    ["DE", "FR12345678901"],
    ["AT", "AT12345678"],
    ["NL", "NL123456789"],
    ["GR", "GR123456789"],
    ["US", "?"],
  ])("of %s is rejected as %s", (country, written) => {
    expect(readTaxId(written, country)).toBeNull();
  });
});

describe("The countries", () => {
  it("are the 249 of ISO 3166-1, each with its own name", () => {
    expect(countryCodes).toHaveLength(249);
    expect(new Set(countryCodes.map(countryName)).size).toBe(249);
    expect(countryName("NL")).toBe("Netherlands");
  });

  it("of the EU are 27, and each has a format for VAT numbers", () => {
    const members = countryCodes.filter(isEuMember);
    expect(members).toHaveLength(27);
    expect(members.filter((code) => !hasVatIdFormat(code))).toEqual([]);
  });
});
