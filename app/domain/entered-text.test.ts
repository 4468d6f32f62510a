import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { billingDetailsForm } from "./billing-details/billing-details.ts";
import { name, textOrNone } from "./imports/cells.ts";
import { planChange, refund, standingChange, twoFactorRemoval } from "./operations/account-forms.ts";
import { quoteNote } from "./quotes/quote.ts";
import { newPlanRequest, newRequest } from "./support/request.ts";

const details = {
  name: "Example Ltd",
  addressLine1: "1 Quay",
  city: "Hamburg",
  country: "DE",
};
const question = { topic: "billing", subject: "An invoice", message: "Hello", reference: "" };
const accepts = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

const lines: [string, (text: string) => boolean][] = [
  ...["name", "addressLine1", "addressLine2", "postalCode", "city", "region", "purchaseOrder"].map(
    (field): [string, (text: string) => boolean] => [
      `${field} of the billing details`,
      (text) => accepts(billingDetailsForm, { ...details, [field]: text }),
    ],
  ),
  ["the subject of a support request", (text) => accepts(newRequest, { ...question, subject: text })],
  ["the reference of a support request", (text) => accepts(newRequest, { ...question, reference: text })],
  ["a name in the catalogue", (text) => accepts(name, text)],
  ["an optional text in the catalogue", (text) => accepts(textOrNone, text)],
];

const messages: [string, (text: string) => boolean][] = [
  ["a message to support", (text) => accepts(newRequest, { ...question, message: text })],
  ["a plan request", (text) => accepts(newPlanRequest, { requested_plan: "enterprise", message: text })],
  ["a note about a quote", (text) => accepts(quoteNote, { note: text })],
  ["the reason for a plan", (text) => accepts(planChange, { plan: "free", plan_reason: text })],
  ["the reason for a suspension", (text) => accepts(standingChange, { standing_reason: text })],
  ["the reason for removing a second factor", (text) => accepts(twoFactorRemoval, { two_factor_reason: text })],
  ["the reason for a refund", (text) => accepts(refund, { amount: "1.00", left: "100", reason: text })],
];

describe.each(lines)("As %s", (_, isAccepted) => {
  it.each(["a\nb c", "a\r\nBcc: b", "a\u0007b", "a\u001b[31mb", "a\u0085b", "a\u202eb", "a\u2028b", "a\u200bb"])(
    "text with line ends, control characters or reversed parts is rejected: %j",
    (text) => expect(isAccepted(text)).toBe(false),
  );

  it.each(["Łódź & Sons’ 海運", "نمونه\u200cها", "ශ්\u200dරී ලංකා"])("text in any script is accepted: %s", (text) =>
    expect(isAccepted(text)).toBe(true),
  );
});

describe.each(messages)("As %s", (_, isAccepted) => {
  it.each(["abc\u0007", "ab\u001b[2Jc", "abc\u0085d"])("text with control characters is rejected: %j", (text) =>
    expect(isAccepted(text)).toBe(false),
  );

  it.each(["one\r\ntwo\n\tthree", "👩‍✈️ שלום"])("text of several lines in any script is accepted: %j", (text) =>
    expect(isAccepted(text)).toBe(true),
  );
});
