/** The price of a period as operators set it, in the console and by command. */
import { z } from "zod";
import { priceOverrideKinds } from "../catalogue/enums.ts";
import { day, price } from "../imports/cells.ts";
import type { RecordField } from "./records.ts";

export const priceFields: readonly RecordField[] = [
  {
    name: "kind",
    label: "What to do",
    options: priceOverrideKinds,
    hint: "A freeze keeps the present price from today on. An override sets another one.",
  },
  {
    name: "monthly_price",
    label: "Monthly price",
    hint: "US dollars, such as 120.00. For an override.",
    isOptional: true,
  },
  { name: "valid_from", label: "Valid from", hint: "YYYY-MM-DD. Empty: from today.", isOptional: true },
  {
    name: "valid_to",
    label: "Valid to",
    hint: "The first day without it. Empty: until it is released.",
    isOptional: true,
  },
  { name: "reason", label: "Reason", hint: "For other operators. Customers do not see it." },
];

const longestReason = 500;

const dayOrNone = z.union([z.literal("").transform(() => null), day]).default(null);
const common = {
  valid_to: dayOrNone,
  reason: z
    .string()
    .trim()
    .min(3, "Say why, for other operators")
    .max(longestReason, `At most ${longestReason} characters`),
};
/** A field that must stay empty. */
const none = (message: string) => z.literal("", message).default("");

export const priceForm = z.discriminatedUnion(
  "kind",
  [
    z.object({
      ...common,
      kind: z.literal("freeze"),
      monthly_price: none("A freeze keeps the present price. Leave this empty, or choose override"),
      valid_from: none("A freeze begins today. Leave this empty"),
    }),
    z.object({
      ...common,
      kind: z.literal("override"),
      monthly_price: price,
      valid_from: dayOrNone,
    }),
  ],
  `Choose one of ${priceOverrideKinds.join(", ")}`,
);
