import { z } from "zod";

/** `12 / 34`, `3/2034`, and `1234`: the keypad of a phone has digits only. */
const expiry = /^(0?[1-9](?=\D)|0[1-9]|1[0-2])\s*[/.-]?\s*(\d{2}|20\d{2})$/;

/** The values entered in test mode's card form. */
export const testCard = z
  .object({
    number: z
      .string()
      .transform((text) => text.replace(/[\s-]/g, ""))
      .pipe(z.string().regex(/^\d{12,19}$/, "Enter the card number, for example 4242 4242 4242 4242")),
    expiry: z
      .string()
      .transform((text) => expiry.exec(text.trim())?.slice(1).map(Number) ?? [])
      .refine((parts) => parts.length === 2, "Enter month and year, for example 12 / 34")
      .transform(([month = 0, year = 0]) => [month, year] as const),
    cvc: z
      .string()
      .trim()
      .regex(/^\d{3,4}$/, "Enter the 3 or 4 digits of the security code"),
  })
  .transform(({ number, cvc, expiry: [expMonth, year] }) => ({
    number,
    cvc,
    expMonth,
    expYear: year < 100 ? 2000 + year : year,
  }));
