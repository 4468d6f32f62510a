/** Schemas of cells, with messages that say what to write instead. */
import { z } from "zod";
import { cargoTypes, freshnesses, serviceLevelNames } from "../catalogue/enums.ts";

const oneOf = <const Words extends readonly [string, ...string[]]>(what: string, words: Words) =>
  z.enum(words, `Not ${what}. Write one of ${words.join(", ")}`);

export const code = z
  .string()
  .regex(
    /^[A-Z0-9][A-Za-z0-9._/-]{0,79}$/,
    "Not a code. Use letters, digits and . _ / -, beginning with a capital or digit",
  );
export const name = z.string().min(1, "Missing. Write a name").max(200, "At most 200 characters");
export const unlocode = z
  .string()
  .transform((text) => text.toUpperCase())
  .pipe(z.string().regex(/^[A-Z]{2}[A-Z2-9]{3}$/, "Not a UN/LOCODE. Write five characters, such as CNSHA"));
export const cargoType = oneOf("a cargo type", cargoTypes);
export const serviceLevel = oneOf("a service level", serviceLevelNames);
export const freshness = oneOf("a freshness", freshnesses);

/** @param unit what is counted */
export const wholeNumber = (unit: string, { from, to }: { from: number; to: number }) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `Not a whole number of ${unit}. Write digits only`)
    .transform(Number)
    .pipe(
      z
        .number()
        .min(from, `At least ${from} ${unit}`)
        .max(to, `At most ${to.toLocaleString("en-US")} ${unit}`),
    );

export const sailings = z
  .string()
  .regex(/^\d{1,2}(\.\d{1,4})?$/, "Not a number of sailings. Write digits with a point, such as 0.5")
  .transform(Number)
  .pipe(z.number().positive("More than 0; 0.25 is monthly").max(50, "At most 50 a week"));

/** Parses major units with up to two decimals into cents. */
export const amount = z
  .string()
  .regex(/^\d{1,7}(\.\d{1,2})?$/, "Not an amount. Write digits with a point and at most two decimals, such as 1234.50")
  .transform((text) => Math.round(Number(text) * 100));

export const currency = z
  .string()
  .refine(
    (text) => text === "USD",
    "The catalogue is kept in USD. Convert the amount and write USD, or leave the line out",
  );

/** An instant in a year that the database can store. */
const writtenDay = z.iso.date().regex(/^[12]/);
const isDay = writtenDay.safeParse.bind(writtenDay);
export const day = z.string().refine((text) => isDay(text).success, "Not a date. Write YYYY-MM-DD, such as 2026-11-30");
/** Empty: open-ended. */
export const dayOrNone = z
  .string()
  .default("")
  .refine((text) => text === "" || isDay(text).success, "Not a date. Write YYYY-MM-DD, or nothing")
  .transform((text) => text || null);

const weekdays = ["MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN"];

/** ISO weekdays, sorted. */
export const departureWeekdays = z
  .string()
  .transform((text) => listed(text).map((each) => weekdays.indexOf(each.toUpperCase()) + 1))
  .refine(
    (days) => days.length > 0 && !days.includes(0) && new Set(days).size === days.length,
    "Not weekdays. Write MON, TUE, WED, THU, FRI, SAT or SUN, several with | between them",
  )
  .transform((days) => days.toSorted());

export const viaPorts = z
  .string()
  .default("")
  .transform((text) => listed(text.toUpperCase()));

export const onlyActive = z
  .string()
  .default("active")
  .refine((text) => text === "active" || text === "", "Only active routes are imported. Leave the others out");

const listed = (text: string): string[] => (text === "" ? [] : text.split("|").map((each) => each.trim()));
