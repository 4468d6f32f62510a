import { describe, expect, it } from "vitest";
import { htmlOf } from "./html.ts";
import * as messages from "./messages.ts";
import { textOf } from "./text.ts";

const appUrl = "https://routes.example";
const subscription = { routeName: "Shanghai – Rotterdam <PEL9> & more", endDate: "2026-11-30" };
const charge = {
  ...subscription,
  subscriptionId: 7,
  amountCents: 123_450,
  currency: "USD",
  reason: "Your card was declined.",
  nextTry: "2026-11-28",
};
const line = {
  name: subscription.routeName,
  endDate: subscription.endDate,
  startDate: "2026-10-30",
  totalCents: 123_450,
};
const dispute = { orderId: 7, amountCents: 123_450, currency: "USD", reason: "product_not_received" };
const quote = { id: 12, username: "demo", currency: "USD", routes: 21, listCents: 210_000, totalCents: 147_000 };

/** One example of each message. */
const all: Record<string, messages.Message> = {
  receipt: messages.receipt(appUrl, {
    invoice: "2026-000012",
    amountCents: 123_450,
    taxCents: 0,
    currency: "USD",
    lines: [line],
  }),
  monthlyStatement: messages.monthlyStatement(appUrl, {
    month: "2026-11",
    currency: "USD",
    openingCents: 0,
    invoicedCents: 123_450,
    paidCents: -123_450,
    creditedCents: -50,
    refundedCents: 50,
    closingCents: 0,
  }),
  reminder: messages.reminder(appUrl, subscription, 7, {
    date: "2026-11-27",
    amountCents: 123_450,
    currency: "USD",
    needsCard: false,
    lastPaid: { amountCents: 112_228, whatChanged: "What changed: the route's popularity." },
  }),
  reminderWithoutCard: messages.reminder(appUrl, subscription, 7, {
    date: "2026-11-27",
    amountCents: 123_450,
    currency: "USD",
    needsCard: true,
    lastPaid: null,
  }),
  reminderWithoutCharge: messages.reminder(appUrl, subscription, 1, null),
  lastReminder: messages.lastReminder(appUrl, charge, 1),
  chargeFailed: messages.chargeFailed(appUrl, charge),
  cardMissing: messages.cardMissing(appUrl, { ...charge, nextTry: null }),
  authenticationNeeded: messages.authenticationNeeded(appUrl, charge),
  keyExpiring: messages.keyExpiring(appUrl, {
    id: 7,
    name: "Rate sync",
    displayPrefix: "srd_live_4fG7aQ",
    expiresAt: new Date("2026-11-30T00:00:00Z"),
  }),
  keyLeaked: messages.keyLeaked(appUrl, {
    name: "Rate sync",
    displayPrefix: "srd_live_4fG7aQ",
    foundAt: "https://git.example.com/rates/blob/main/.env",
  }),
  quotaReached: messages.quotaReached(appUrl, {
    percent: 80,
    limit: 1_000,
    used: 800,
    resetsAt: new Date("2026-11-20T10:00:00Z"),
  }),
  expired: messages.expired(appUrl, subscription),
  planEnding: messages.planEnding(appUrl, { plan: "professional", endDate: "2026-12-20" }),
  planEnded: messages.planEnded(appUrl, { plan: "professional", endDate: "2026-12-20" }),
  planPaymentReturned: messages.paymentReturned(appUrl, {
    ...({ orderId: 7, kind: "plan", amountCents: 4_900, currency: "USD", reason: "plan_changed" } as const),
    expiresAt: new Date("2026-11-21T09:30:00Z"),
  }),
  refunded: messages.refunded(appUrl, { creditNote: "2026-000013", amountCents: 1, currency: "USD", orderId: 7 }),
  alertsRaised: messages.alertsRaised(appUrl, {
    day: "2026-11-21",
    count: 51,
    routes: [
      {
        ...{ id: 109, code: "C-CNSHA-NLRTM-PEL9", name: subscription.routeName },
        alerts: [{ label: "Rate change", value: "all-in rate <up> 5.3%" }],
        watches: [{ name: "Shanghai – Rotterdam, 40′ high cube", stopUrl: `${appUrl}/alerts/stop/abc` }],
      },
    ],
    stopAllUrl: `${appUrl}/alerts/stop/xyz`,
  }),
  paymentDisputed: messages.paymentDisputed(appUrl, dispute),
  disputeEnded: messages.disputeEnded(appUrl, { ...dispute, outcome: "lost" }),
  disputeForOperators: messages.disputeForOperators(appUrl, {
    ...dispute,
    username: "demo",
    accountId: 7,
    outcome: "open",
  }),
  quoteForOperators: messages.quoteForOperators(appUrl, { ...quote, event: "requested", note: "For <two> years" }),
  quoteOffered: messages.quoteOffered(appUrl, {
    ...quote,
    offerNumber: 2,
    offer: {
      discountPercent: 30,
      validThrough: "2026-12-04",
      keepsDiscount: true,
      discountThrough: "2027-11-19",
      note: "Our best price",
    },
  }),
  quoteExpired: messages.quoteEnded(appUrl, { id: 12, as: "expired", note: "" }),
  quoteWithdrawn: messages.quoteEnded(appUrl, { id: 12, as: "withdrawn", note: "A mistake" }),
  keyCreated: messages.keyCreated(appUrl, { name: '"><img src=x>', user: "o'neil", displayPrefix: "srd_live_ab" }),
  webhookDisabled: messages.webhookDisabled(appUrl, {
    endpointId: 3,
    url: "https://example.com/hooks?a=1&b=<2>",
    reason: "failing",
  }),
  webhookGone: messages.webhookDisabled(appUrl, { endpointId: 3, url: "https://example.com/hooks", reason: "gone" }),
  codesGuessed: messages.codesGuessed(appUrl, { count: 5, address: "192.0.2.7" }),
  passwordChanged: messages.passwordChanged(appUrl, {
    signedOut: "every session",
    revokedKeys: 3,
    keptKeys: 0,
    removedPasskeys: 1,
    keptPasskeys: 0,
    isFirstProof: true,
  }),
  passwordChangedPasskeysRemoved: messages.passwordChanged(appUrl, {
    signedOut: "every session",
    revokedKeys: 0,
    keptKeys: 1,
    removedPasskeys: 2,
    keptPasskeys: 0,
  }),
  appAdded: messages.appChanged(appUrl, "added"),
  passkeyAdded: messages.passkeyAdded(appUrl, { name: "Phone & <tablet>", turnedOn: true }),
  passkeyRemoved: messages.passkeyRemoved(appUrl, { name: "Phone & <tablet>", isOff: true }),
  passkeyCopySuspected: messages.passkeyCopySuspected(appUrl, { name: "Phone & <tablet>" }),
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
    const groups = message.groups ?? [];
    const facts = [...message.facts, ...groups.flatMap((group) => group.facts)];
    const links = [...groups.flatMap((group) => group.links), ...(message.unsubscribe ? [message.unsubscribe] : [])];
    const more = [
      ...groups.map(({ title }) => title),
      ...facts.flatMap(({ label, value }) => [label, value]),
      ...links.flatMap(({ label, url }) => [label, url]),
    ];
    for (const said of [...message.paragraphs, ...more, message.action.lead, message.action.url, appUrl]) {
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
    expect(message.subject, "dates are written as in sentences").not.toMatch(/\d{4}-\d{2}-\d{2}/);
    expect(Math.max(...html.split("\n").map((row) => row.length))).toBeLessThan(998);
    expect(text).not.toMatch(/undefined|NaN|null/);
  });
});

describe("A message as text", () => {
  it("gives the previous price of a renewal and why it moved", () => {
    expect(textOf(all.reminder ?? messages.expired(appUrl, subscription))).toContain(
      "Last time you paid USD 1,122.28 for the same term. What changed: the route's popularity.",
    );
    const lastPaid = { amountCents: 123_450, whatChanged: "" };
    const charge = { date: "2026-11-27", amountCents: 123_450, currency: "USD", needsCard: false, lastPaid };
    expect(textOf(messages.reminder(appUrl, subscription, 7, charge))).not.toContain("Last time you paid");
  });

  it("reads naturally", () => {
    expect(textOf(all.chargeFailed ?? messages.expired(appUrl, subscription))).toBe(
      `We could not charge USD 1,234.50 to renew your subscription to ${subscription.routeName}. Your card was declined.

We will try again on 28 Nov 2026; you can also pay now. Unless the renewal is paid, your last day with access is 29 Nov 2026.

Route: ${subscription.routeName}
Last day: 29 Nov 2026
Amount: USD 1,234.50

To keep access, update your card and pay now: https://routes.example/subscriptions/7/pay?end=2026-11-30

Shipping Route Data Service
https://routes.example
`,
    );
  });
});
