import { describe, expect, it } from "vitest";
import { htmlOf } from "./html.ts";
import * as messages from "./messages.ts";
import { textOf } from "./text.ts";

const appUrl = "https://routes.example";
const subscription = { routeName: "Shanghai – Rotterdam <PEL9> & more", endDate: "2026-11-30" };
const charge = { ...subscription, subscriptionId: 7, amountCents: 123_450, currency: "USD", nextTry: "2026-11-28" };
const line = { ...subscription, startDate: "2026-10-30", totalCents: 123_450 };

/** One example of each message. */
const all: Record<string, messages.Message> = {
  receipt: messages.receipt(appUrl, { invoice: "2026-000012", amountCents: 123_450, currency: "USD", lines: [line] }),
  reminder: messages.reminder(appUrl, subscription, 7, { date: "2026-11-27", amountCents: 123_450, currency: "USD" }),
  reminderWithoutCharge: messages.reminder(appUrl, subscription, 1, null),
  lastReminder: messages.lastReminder(appUrl, subscription, 1),
  chargeFailed: messages.chargeFailed(appUrl, charge),
  cardMissing: messages.cardMissing(appUrl, { ...charge, nextTry: null }),
  authenticationNeeded: messages.authenticationNeeded(appUrl, charge),
  expired: messages.expired(appUrl, subscription),
  refunded: messages.refunded(appUrl, { creditNote: "2026-000013", amountCents: 1, currency: "USD", orderId: 7 }),
  keyCreated: messages.keyCreated(appUrl, { name: '"><img src=x>', user: "o'neil", displayPrefix: "srd_live_ab" }),
  passwordChanged: messages.passwordChanged(appUrl, "every session"),
  passwordReset: messages.passwordReset(appUrl, { link: `${appUrl}/reset-password?token=a&b`, minutes: 60 }),
  twoFactorRemoved: messages.twoFactorRemoved(appUrl, { reason: "Called back at <the office>" }),
  newPlace: messages.newPlace(appUrl, {
    at: new Date("2026-11-20T09:30:59Z"),
    address: "192.0.2.1",
    program: "<script>alert(1)</script>",
    by: "bearer",
  }),
};

const unescaped = (html: string) =>
  html
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, "&");

describe.each(Object.entries(all))("The message %s", (_, message) => {
  const [text, html] = [textOf(message), htmlOf(message)];

  it("says the same in its text and in its HTML", () => {
    const facts = message.facts.flatMap(({ label, value }) => [label, value]);
    for (const said of [...message.paragraphs, ...facts, message.action.lead, message.action.url, appUrl]) {
      expect(text).toContain(said);
      expect(unescaped(html)).toContain(said);
    }
  });

  it("has HTML with escaped text, one action and no external resources", () => {
    const tags = new Set([...html.matchAll(/<([a-z][a-z0-9]*)/g)].map(([, tag]) => tag));
    const known = "html head meta title style body div h1 p a table tr th td br".split(" ");
    expect([...tags].filter((tag) => !known.includes(tag ?? ""))).toEqual([]);
    expect(html.match(/class="action"/g)).toHaveLength(1);
    expect(html).not.toMatch(/<[^>]*\s(src|background)=|url\(|@import/);
    expect(html.replace(/&(amp|lt|gt|quot|#39);/g, "")).not.toContain("&");
  });

  it("has a one-line subject, and lines within the limit for mail", () => {
    expect(message.subject).not.toMatch(/[\r\n]/);
    expect(Math.max(...html.split("\n").map((row) => row.length))).toBeLessThan(998);
    expect(text).not.toMatch(/undefined|NaN|null/);
  });
});

describe("A message as text", () => {
  it("reads naturally", () => {
    expect(textOf(all.chargeFailed ?? messages.expired(appUrl, subscription))).toBe(
      `Your card was declined when we tried to charge USD 1,234.50 to renew your subscription to ${subscription.routeName}, which ends on 2026-11-30.

We will try again on 2026-11-28. You need not wait.

Route: ${subscription.routeName}
Ends on: 2026-11-30
Amount: USD 1,234.50

To keep access, renew with another card: https://routes.example/subscriptions

Shipping Route Data Service
https://routes.example
`,
    );
  });
});
