/** Schemas that several contracts share. Money in cents, integer ids, times in ISO 8601 UTC. */
import { z } from "zod";
import { largestId } from "../../domain/input.ts";
import { defaultPageSize, largestPageSize } from "../../domain/page-size.ts";
import { customPricingInWords } from "../../domain/pricing/volume-discount.ts";

export const id = z.int().min(1).max(largestId);

/** An integer in a path or query string, where everything is text. */
export const numberText = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, "Must be a whole number")
    .transform(Number)
    .pipe(z.int().min(min).max(max))
    .meta({ override: { type: "integer", minimum: min, maximum: max } });

export const idText = numberText(1, largestId);

/** In a response: UTC, always with milliseconds. */
export const instant = z.iso.datetime({ precision: 3 });
/** In the local time of a port. */
export const localInstant = z.iso.datetime({ offset: true }).meta({ example: "2026-11-24T14:00:00+08:00" });
export const day = z.iso.date();

/** A date or date-time in a query string. */
export const instantText = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: "Must be a date (2026-11-20) or a time in ISO 8601 (2026-11-20T09:30:00Z)",
  })
  .transform((text) => new Date(text))
  .refine((date) => date.getUTCFullYear() >= 1970 && date.getUTCFullYear() < 3000, "Must be between 1970 and 2999")
  .meta({ override: { type: "string" }, example: "2026-11-01" });

/** One end of a range of departures in a query string. */
export const departureText = z
  .union([z.iso.date(), z.iso.datetime({ offset: true })], {
    error: "Must be a date (2026-11-24) or a time in ISO 8601 (2026-11-24T06:00:00Z)",
  })
  .refine((text) => text >= "1970" && text < "3000", "Must be between 1970 and 2999")
  .transform((text) => (text.length === 10 ? { day: text } : { instant: new Date(text) }))
  .meta({ override: { type: "string" } });

export const currencyCode = z.string().length(3).meta({ description: "ISO 4217.", example: "USD" });
export const cents = z.int().meta({ description: "In minor units of the currency." });

export const pageQuery = {
  limit: numberText(1, largestPageSize)
    .default(defaultPageSize)
    .meta({ description: "Maximum number of records.", override: { default: defaultPageSize } }),
  cursor: z
    .string()
    .max(500)
    .optional()
    .meta({ description: "The next_cursor of the previous page, unchanged.", example: "WyJTaGFuZ2hhaSIsNDJd" }),
};

/** For lists that the specification returns in one response: paginated only on request. */
export const wholeOrPageQuery = {
  limit: numberText(1, largestPageSize)
    .optional()
    .meta({ description: "Maximum number of records. Default: all.", example: "50" }),
  cursor: pageQuery.cursor,
};

export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: "Pass it as cursor to get the next page. Null on the last page." });

export const problem = z
  .object({
    success: z.literal(false),
    message: z.string(),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .meta({
        description: "For 422: the invalid fields. For 429: the limit that was exceeded, if it is not the rate limit.",
      }),
    sales_url: z
      .url()
      .optional()
      .meta({
        description: `For an order of ${customPricingInWords}: the portal page where you request a quote for it.`,
      }),
    next_cursor: z.string().optional().meta({
      description: "For 410 of changes: the cursor to continue from after you have read the route data again.",
    }),
    request_id: z.uuid().meta({ description: "Also in X-Request-Id. Include it when you contact support." }),
  })
  .meta({ id: "Problem" });

/** A reference to a record of the catalogue. */
export const named = z.object({ id, code: z.string(), name: z.string() });
