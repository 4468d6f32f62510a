/** Invoices as the account sees them: in detail, through the API, as PDF and as CSV. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { invoiceView } from "../../portal/invoice-view.ts";
import { receiptPdf } from "../../portal/receipt-pdf.server.ts";
import { call } from "../../testing/api-client.ts";
import { pdfText } from "../../testing/pdf-text.ts";
import { pay, periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { checkout } from "../subscriptions/checkout.server.ts";
import { changeTerm } from "../subscriptions/renew.server.ts";
import { billingCsv } from "./billing-csv.server.ts";
import { getInvoice } from "./get-invoice.server.ts";
import { listInvoices } from "./invoices.server.ts";
import { reconcile } from "./reconcile.server.ts";
import * as reconcileQueries from "./reconcile-queries.server.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.close());
beforeEach(() => world.clock.set("2026-11-20T09:30:00Z"));

const newest = async (caller: Caller) => {
  const [invoice] = await listInvoices(world.ctx, caller);
  if (!invoice) throw new Error("There is no invoice");
  return getInvoice(world.ctx, caller, { id: invoice.id });
};

const refund = async (orderId: number, amountCents?: number) => {
  const payments = await reconcileQueries.allPayments(world.ctx.db);
  const chargeId = payments.find((payment) => payment.orderId === orderId)?.chargeId ?? "";
  await world.simulator.refundCharge(chargeId, amountCents);
  await world.simulator.idle();
};

describe("An invoice", () => {
  it("shows the period, list price and discounts of each line", async () => {
    const { account, caller } = await world.account();
    const items = world.routes
      .slice(0, 2)
      .map(({ code }) => ({ periodId: periodOf(world, code), term: "3_months" as const }));
    const order = await checkout(world.ctx, caller, { items, autoRenew: true });
    await pay(world, caller, order);
    const invoice = await newest(caller);
    expect(invoice).toMatchObject({
      kind: "invoice",
      number: expect.stringMatching(/^2026-\d{6}$/),
      orderKind: "purchase",
      amountCents: order.amountCents,
      balanceCents: order.amountCents,
      account: { username: account.username, email: account.email },
      card: { brand: "visa", last4: "4242" },
      refersTo: null,
      creditNotes: [],
    });
    expect(invoice.lines).toHaveLength(2);
    for (const line of invoice.lines) {
      expect(line).toMatchObject({ months: 3, creditCents: 0, discounts: [{ kind: "term", percent: 10 }] });
      expect(line.covers).toEqual({ startDate: "2026-11-20", endDate: "2027-02-20" });
      expect(line.listCents).toBe(3 * line.monthlyCents);
      expect(line.totalCents).toBe(line.listCents - (line.discounts[0]?.cents ?? 0));
    }
    expect(invoice.lines.reduce((sum, { totalCents }) => sum + totalCents, 0)).toBe(order.amountCents);
  });

  it("of a change of term shows the credit for the unused days", async () => {
    const { caller } = await world.account();
    const { id } = await subscribe(world, caller);
    world.clock.set("2026-11-25T09:30:00Z");
    const change = await changeTerm(world.ctx, caller, { id, term: "12_months" });
    await pay(world, caller, change);
    const invoice = await newest(caller);
    expect(invoice).toMatchObject({ orderKind: "term_change", lines: [{ creditCents: change.creditCents }] });
    expect(change.creditCents).toBeGreaterThan(0);
  });

  it("is followed by credit notes that refer to it", async () => {
    const { caller } = await world.account();
    await subscribe(world, caller);
    const before = await newest(caller);
    await refund(before.orderId, 1000);
    const note = await newest(caller);
    expect(note).toMatchObject({
      kind: "credit_note",
      amountCents: -1000,
      lines: [],
      refersTo: { id: before.id, number: before.number },
      creditNotes: [],
    });
    expect(await getInvoice(world.ctx, caller, { id: before.id })).toMatchObject({
      balanceCents: before.amountCents - 1000,
      creditNotes: [{ id: note.id, number: note.number, amountCents: -1000 }],
    });
  });

  it("is not found by another account", async () => {
    const [{ caller }, stranger] = [await world.account(), await world.account()];
    await subscribe(world, caller);
    const { id } = await newest(caller);
    await expect(getInvoice(world.ctx, stranger.caller, { id })).rejects.toMatchObject({ code: "not_found" });
    await expect(getInvoice(world.ctx, caller, { id: 999_999 })).rejects.toMatchObject({ code: "not_found" });
  });
});

it("The API lists invoices with lines that add up, and credit notes without lines", async () => {
  const { caller, token } = await world.account();
  const { id } = await subscribe(world, caller, { term: "3_months" });
  world.clock.set("2026-11-20T10:30:00Z");
  const change = await changeTerm(world.ctx, caller, { id, term: "12_months" });
  await pay(world, caller, change);
  await refund(change.orderId, 500);
  const { body } = await call(world, "GET", "/subscriptions/invoices", { token });
  const [note, changed, bought] = body.invoices;
  expect(note).toMatchObject({ kind: "credit_note", amount_cents: -500, lines: [] });
  expect(changed.lines).toMatchObject([{ credit_cents: change.creditCents, total_cents: changed.amount_cents }]);
  expect(bought.lines).toMatchObject([
    { months: 3, term_discount_percent: 10, credit_cents: 0, total_cents: bought.amount_cents },
  ]);
});

describe("The receipt", () => {
  it("is a PDF with the invoice's text, identical every time", async () => {
    const { caller } = await world.account();
    await subscribe(world, caller);
    const invoice = await newest(caller);
    const view = invoiceView(invoice, world.ctx.settings);
    const [first, second] = [await receiptPdf(view), await receiptPdf(view)];
    expect(Buffer.from(first).equals(Buffer.from(second))).toBe(true);
    expect(Buffer.from(first).subarray(0, 5).toString()).toBe("%PDF-");
    const text = pdfText(first);
    for (const words of [view.title, invoice.lines[0]?.routeName ?? "?", "Visa •••• 4242", caller.account.email]) {
      expect(text).toContain(words);
    }
  });

  it.each(["Łódź – Ştefăneşti", "Piraeus (Πειραιάς)", "Київ → Đà Nẵng", "İzmir, Þórshöfn, Ærøskøbing"])(
    "writes %s with all its letters",
    async (routeName) => {
      const { pdf, text } = await receiptOf({ routeName });
      expect(text).toContain(routeName);
      expect(text).not.toContain("cannot show");
      expect(pdf.length).toBeLessThan(60_000);
    },
  );

  it.each(["上海海运有限公司 Ltd", "株式会社サンプル海運", "부산해운 주식회사 12", "צים שירותי ספנות"])(
    "writes the name %s in full",
    async (routeName) => {
      const { pdf, text } = await receiptOf({ routeName });
      expect(text).not.toContain("□");
      // Hebrew is written from right to left.
      for (const letter of routeName) expect(text).toContain(letter);
      expect(pdf.length).toBeLessThan(120_000);
    },
  );

  it("writes an Arabic name in full", async () => {
    const { text } = await receiptOf({ routeName: "شركة الخليج للشحن" });
    expect(text).not.toContain("□");
    // The font draws ح as the same glyph as خ, which has a dot besides. So its text cannot be read back.
    for (const letter of "شركةالخليجن") expect(text).toContain(letter);
  });

  it("replaces letters that the fonts lack, and says so", async () => {
    const { text } = await receiptOf({ routeName: "አዲስ – ﬁne Ｐ②" });
    expect(text).toContain("□□□ – fine P2");
    expect(text).toContain("□ replaces characters that this file cannot show");
  });

  it("spans several pages when it has many lines", async () => {
    const { pdf } = await receiptOf({}, 50);
    expect(
      Buffer.from(pdf)
        .toString("latin1")
        .match(/\/Type \/Page\n/g)?.length,
    ).toBeGreaterThan(4);
  });
});

const receiptOf = async ({ routeName }: { routeName?: string }, times = 1) => {
  const { caller } = await world.account();
  await subscribe(world, caller);
  const view = invoiceView(await newest(caller), world.ctx.settings);
  const [line] = view.lines;
  if (!line) throw new Error("The invoice has no line");
  const lines = Array.from({ length: times }, (_, id) => ({ ...line, id, name: routeName ?? line.name }));
  const pdf = await receiptPdf({ ...view, lines });
  return { pdf, text: pdfText(pdf) };
};

it("The billing history as CSV has a line for each invoice and credit note, newest first", async () => {
  const { caller } = await world.account();
  await subscribe(world, caller);
  const { number, orderId, amountCents } = await newest(caller);
  await refund(orderId);
  const [header, note, invoice, end] = (await billingCsv(world.ctx, caller)).split("\r\n");
  expect(header).toBe(
    "number,kind,refers_to,issued_at,order_id,order_kind,route_codes,currency,amount_cents,card_brand,card_last4,tax_cents,buyer_country,buyer_tax_id,reverse_charge",
  );
  const common = (cents: number) =>
    `2026-11-20T09:30:00.000Z,${orderId},purchase,${world.routes[0]?.code},USD,${cents},visa,4242,0,,,no`;
  expect(note).toMatch(new RegExp(`^2026-\\d{6},credit_note,${number},${common(-amountCents)}$`));
  expect(invoice).toBe(`${number},invoice,,${common(amountCents)}`);
  expect(end).toBe("");
});

it("The books still agree after these tests", async () => {
  expect((await reconcile(world.ctx)).differences).toEqual([]);
});
