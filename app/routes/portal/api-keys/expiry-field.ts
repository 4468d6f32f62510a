/** Beside key-view.ts, so that the pages do not carry Zod to the browser. */
import { z } from "zod";
import { addDays, startOf } from "#app/domain/dates.ts";
import { enteredDay } from "#app/domain/input.ts";

/** The last day on which a key works, from a form. The key stops at the end of that day. Empty: it does not expire. */
export const expiryField = z
  .union([z.literal(""), enteredDay], "Enter a date")
  .default("")
  .transform((day) => (day === "" ? null : startOf(addDays(day, 1))));
