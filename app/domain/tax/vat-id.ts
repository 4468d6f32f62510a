/**
 * VAT identification numbers: their form, not whether they are registered. The formats of the EU are those of VIES
 * (https://ec.europa.eu/taxation_customs/vies); check digits are left to VIES.
 */

/** The number without its prefix, by country. */
const formats: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  ES: /^[A-Z0-9]\d{7}[A-Z0-9]$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  GR: /^\d{9}$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d{7}[A-W][A-I]?|\d[A-Z+*]\d{5}[A-W])$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^[A-Z0-9+*]{10}\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
  // Outside the EU, but of the same kind.
  CH: /^E?\d{9}(MWST|TVA|IVA)?$/,
  GB: /^(\d{9}|\d{12}|(GD|HA)\d{3})$/,
  NO: /^\d{9}(MVA)?$/,
};

/** Only Greece's prefix differs from its country code. */
const prefixOf = (country: string): string => (country === "GR" ? "EL" : country);

/** Any other country's tax number: letters, digits and common separators. */
const elsewhere = /^[A-Z0-9][A-Z0-9 ./-]{2,29}$/;

/**
 * A tax number in the form in which it is stored and printed: `DE 123 456 789` becomes `DE123456789`. A missing prefix is
 * added.
 *
 * @returns null if the form is wrong for the country
 */
export const readTaxId = (written: string, country: string): string | null => {
  const upper = written.trim().toUpperCase();
  const format = formats[country];
  if (!format) return elsewhere.test(upper) ? upper : null;
  const compact = upper.replace(/[\s.-]/g, "");
  const prefix = prefixOf(country);
  const number = compact.startsWith(prefix) && !format.test(compact) ? compact.slice(prefix.length) : compact;
  return format.test(number) ? prefix + number : null;
};

/** Whether numbers of this country are VAT numbers with a known form. */
export const hasVatIdFormat = (country: string): boolean => formats[country] !== undefined;
