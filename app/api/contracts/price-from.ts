import { z } from "zod";
import { customPricingFromRoutes } from "../../domain/pricing/policy.ts";
import { cents, currencyCode, id } from "./shapes.ts";

/** What the calling account pays for a route. */
export const priceFrom = z
  .object({
    period_id: id,
    list_cents: cents.meta({ description: "Before discounts.", example: 49_000 }),
    volume_discount_percent: z
      .int()
      .meta({ description: "The volume discount for the account's active subscriptions and this route.", example: 0 }),
    total_cents: cents.meta({ description: "The price that the account pays.", example: 49_000 }),
    currency: currencyCode,
    needs_quote: z.boolean().meta({
      description: `Whether the account would have more than ${customPricingFromRoutes - 1} routes and needs a quote from sales. Then \`total_cents\` is the list price.`,
      example: false,
    }),
  })
  .meta({ id: "PriceFrom" });
