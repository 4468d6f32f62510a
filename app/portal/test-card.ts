import { z } from "zod";

/** The values entered in test mode's card form. */
export const testCard = z
  .object({
    number: z
      .string()
      .transform((text) => text.replace(/[\s-]/g, ""))
      .pipe(z.string().regex(/^\d{12,19}$/, "Enter the card number, for example 4242 4242 4242 4242")),
    expiry: z
      .string()
      .regex(/^\s*(0?[1-9]|1[0-2])\s*\/\s*(\d{2}|20\d{2})\s*$/, "Enter month and year, for example 12 / 34")
      .transform((text) => text.split("/").map((part) => Number(part)) as [number, number]),
    cvc: z.string().regex(/^\d{3,4}$/, "Enter the 3 or 4 digits of the security code"),
  })
  .transform(({ number, cvc, expiry: [expMonth, year] }) => ({
    number,
    cvc,
    expMonth,
    expYear: year < 100 ? 2000 + year : year,
  }));
