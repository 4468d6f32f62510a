/** Schemas of single fields, with messages that say what to write instead. Import files and the forms of operators share them. */
import { z } from "zod";
import { codePattern, unlocodePattern } from "../catalogue/codes.ts";
import { cargoTypes, freshnesses, hauls, serviceLevelNames } from "../catalogue/enums.ts";
import { type CargoType, longestTransitDays } from "../catalogue/route.ts";
import { ownLine } from "../input.ts";
import { currency as catalogueCurrency, minorDigitsOf } from "../money.ts";
import { sailingStatuses, transportModes } from "../schedules/enums.ts";
import { counted } from "../wording.ts";
import type { FindingCode } from "./finding.ts";

/** Gives a failed check its code. Checks without one have the code of their sort (`parse-cells.ts`). */
export const because = (code: FindingCode, error: string) => ({ error, params: { code } });

/**
 * Text that a spreadsheet cannot take for a formula. Numbers are checked by their own schemas, as they may be negative.
 */
const text = z.string().refine((value) => !/^[=+\-@\t\r]/.test(value), {
  ...because(
    "formula",
    "A spreadsheet would run this text as a formula. Remove the =, +, -, @ or tab at its beginning",
  ),
  abort: true,
});

const oneOf = <const Words extends readonly [string, ...string[]]>(what: string, words: Words) =>
  z.enum(words, `Enter ${what}: ${words.join(", ")}`);

// ── Codes and names ─────────────────────────────────────────────────────────────────────────────────

const codeForm = "Enter a code of letters, digits and . _ / -, beginning with a capital letter or digit";
export const code = text.regex(codePattern, codeForm);
export const codeOrNone = text
  .default("")
  .refine((value) => value === "" || codePattern.test(value), because("malformed", codeForm));
export const name = text
  .min(1, "Enter a name")
  .max(200, "At most 200 characters")
  .regex(...ownLine);
export const textOrNone = text
  .max(200, "At most 200 characters")
  .regex(...ownLine)
  .default("");

export const unlocode = text
  .transform((value) => value.toUpperCase())
  .pipe(
    z.string().regex(unlocodePattern, {
      error: "Enter a UN/LOCODE of five characters, such as CNSHA",
      abort: true,
    }),
  );

/** The code of a new port: the country must exist. */
export const portCode = unlocode.refine(
  (value) => countryOf(value.slice(0, 2)) !== null,
  because("unknown_code", "The first two letters are not an ISO 3166 country code. Correct the UN/LOCODE"),
);

export const unlocodeList = text
  .default("")
  .transform((value) => listed(value.toUpperCase()))
  .refine(
    (codes) => codes.every((each) => unlocode.safeParse(each).success),
    because("malformed", "Enter UN/LOCODEs of five characters, such as CNSGH, with | between them"),
  );

/** Ports of call, in order. Unknown ones are found when they are looked up. */
export const viaPorts = text.default("").transform((value) => listed(value.toUpperCase()));

const countryNames = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
/** Codes that CLDR names although ISO 3166-1 does not assign them. */
const notCountries = ["AC", "AN", "CP", "CQ", "DG", "EA", "EU", "EZ", "IC", "QO", "TA", "UN", "XA", "XB", "XK", "ZZ"];

/** The English name by an ISO 3166-1 alpha-2 code. Null: no country has it. */
export const countryOf = (alpha2: string): string | null =>
  !/^[A-Z]{2}$/.test(alpha2) || notCountries.includes(alpha2) ? null : (countryNames.of(alpha2) ?? null);

/** Empty: the country of the UN/LOCODE. */
export const countryCodeOrNone = text
  .default("")
  .refine(
    (value) => value === "" || countryOf(value) !== null,
    because("unknown_code", "Enter an ISO 3166 country code of two capital letters, such as NL, or leave it empty"),
  );

// ── Sets of values ──────────────────────────────────────────────────────────────────────────────────

export const cargoType = oneOf("a cargo type", cargoTypes);
export const serviceLevel = oneOf("a service level", serviceLevelNames);
export const freshness = oneOf("a freshness", freshnesses);
export const haul = oneOf("a haul", hauls);
export const portTier = oneOf("a tier", ["1", "2", "3"]).transform(Number);

/** Empty: the carrier does not say. */
export const serviceLevelOrNone = orNone(serviceLevel);
export const sailingStatus = emptyIs("scheduled", oneOf("a status", sailingStatuses));
export const transportMode = emptyIs("vessel", oneOf("a mode", transportModes));

export const cargoTypeList = text
  .min(1, { error: `Enter one or more of ${cargoTypes.join(", ")}, with | between them`, abort: true })
  .transform(listed)
  .refine(
    (types): types is CargoType[] =>
      types.length > 0 && types.every((type) => (cargoTypes as readonly string[]).includes(type)),
    because("not_allowed", `Unknown cargo type. Enter one or more of ${cargoTypes.join(", ")}, with | between them`),
  );

export const timezone = z
  .string()
  .refine(
    (zone) => /^[A-Z]/.test(zone) && isTimeZone(zone),
    because("unknown_code", "Unknown time zone. Enter an IANA name, such as Europe/Amsterdam"),
  );

const isTimeZone = (zone: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
};

// ── Numbers ─────────────────────────────────────────────────────────────────────────────────────────

/** @param unit what is counted, in the singular */
export const wholeNumber = (unit: string, { from, to }: { from: number; to: number }) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `Enter a whole number of ${unit}s, digits only`)
    .transform(Number)
    .pipe(
      z
        .number()
        .min(from, `Must be at least ${counted(from, unit)}`)
        .max(to, `Must be at most ${counted(to, unit)}`),
    );

export const distanceNm = wholeNumber("nautical mile", { from: 1, to: 30_000 });
export const transitDays = wholeNumber("day", { from: 1, to: longestTransitDays });
export const transitDaysOrNone = orNone(transitDays);

export const sailings = z
  .string()
  .regex(/^\d{1,2}(\.\d{1,4})?$/, "Enter a number of sailings with a decimal point, such as 0.5")
  .transform(Number)
  .refine((value) => value > 0, because("out_of_range", "Must be more than 0. Monthly is 0.25"))
  .refine((value) => value <= 50, because("out_of_range", "Must be at most 50 per week"));

export const degrees = (most: number) =>
  z
    .string()
    .regex(/^-?\d{1,3}(\.\d{1,6})?$/, "Enter degrees with a decimal point, such as -33.86")
    .transform(Number)
    .refine((value) => Math.abs(value) <= most, because("out_of_range", `Between -${most} and ${most} degrees`));

// ── Money ───────────────────────────────────────────────────────────────────────────────────────────

/** How many digits of minor units always fit a column. */
const longestAmount = 9;

/** Parses major units of a currency into minor ones. */
export const amountIn = (code: string) => {
  const decimals = minorDigitsOf(code);
  return z
    .string()
    .regex(new RegExp(`^-?\\d{1,${longestAmount - decimals}}(\\.\\d{1,9})?$`), {
      error: "Enter an amount with a decimal point, such as 1234.50",
      abort: true,
    })
    .refine((value) => !value.startsWith("-"), because("negative", "Enter an amount of 0 or more"))
    .refine(
      (value) => (value.split(".")[1] ?? "").length <= decimals,
      because("over_precise", `${code} has ${decimals} decimals. Round the amount`),
    )
    .transform((value) => Math.round(Number(value) * 10 ** decimals));
};

const amount = amountIn(catalogueCurrency);

/** A year at this price still fits the columns, with the highest factors of freshness and popularity. */
const highestMonthlyCents = 10_000_000;

/** The price of a month, in cents. */
export const price = amount
  .refine((cents) => cents > 0, because("out_of_range", "Must be more than 0"))
  .refine((cents) => cents <= highestMonthlyCents, because("out_of_range", "Must be at most 100000.00"));

const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"));

export const isCurrency = (value: unknown): value is string => typeof value === "string" && currencies.has(value);

export const anyCurrency = z.string().refine(isCurrency, {
  ...because("wrong_currency", "Enter an ISO 4217 currency code, such as USD"),
  abort: true,
});

export const currency = anyCurrency.refine(
  (value) => value === catalogueCurrency,
  because("wrong_currency", "Amounts must be in USD. Convert the amount, or remove the line"),
);

// ── Days ────────────────────────────────────────────────────────────────────────────────────────────

/** A day in a year that the database can store. */
const writtenDay = z.iso.date().regex(/^[12]/);
const isDay = (value: string) => writtenDay.safeParse(value).success;
export const day = z.string().refine(isDay, because("malformed", "Enter a date as YYYY-MM-DD, such as 2026-11-30"));
/** Empty: open-ended. */
export const dayOrNone = orNone(
  z.string().refine(isDay, because("malformed", "Enter a date as YYYY-MM-DD, or leave it empty")),
);

const withoutOffset = "The time has no UTC offset. Add Z for UTC, or an offset such as +08:00";
const writtenInstant = z.iso.datetime({ offset: true }).regex(/^[12]/);
const localTime = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?$/;

/** A time with its offset from UTC. */
export const instant = z
  .string()
  .refine((value) => !localTime.test(value), { ...because("not_offset", withoutOffset), abort: true })
  .refine((value) => writtenInstant.safeParse(value).success, {
    ...because("malformed", "Enter a time with its UTC offset, such as 2026-11-16T06:00:00Z"),
    abort: true,
  })
  .transform((value) => new Date(value));
export const instantOrNone = orNone(instant);

const weekdays = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];

/** ISO weekdays, sorted. */
export const departureWeekdays = z
  .string()
  .transform((value) => listed(value).map((each) => weekdays.indexOf(each.toUpperCase()) + 1))
  .refine(
    (days) => days.length > 0 && !days.includes(0) && new Set(days).size === days.length,
    because("not_allowed", "Enter weekdays: MON, TUE, WED, THU, FRI, SAT or SUN, with | between them"),
  )
  .transform((days) => days.toSorted());

// ── Routes ──────────────────────────────────────────────────────────────────────────────────────────

export const onlyActive = z
  .string()
  .default("active")
  .refine(
    (value) => value === "active" || value === "",
    because("not_allowed", "Only active routes can be imported. Remove this line"),
  );

/** An empty cell, or one that is left out, is null. */
function orNone<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((written) => (written === "" || written === undefined ? null : written), schema.nullable());
}

/** An empty cell, or one that is left out, has this value. */
function emptyIs<Schema extends z.ZodType>(value: z.input<Schema>, schema: Schema) {
  return z.preprocess((written) => (written === "" || written === undefined ? value : written), schema);
}

function listed(value: string): string[] {
  return value.split("|").flatMap((each) => each.trim() || []);
}
