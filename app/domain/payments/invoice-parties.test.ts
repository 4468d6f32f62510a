/** Invoices that a company can book: seller, buyer, tax, and credit notes, in the database, on the page and as PDF. */
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { outboxMessages } from "#drizzle/schema/index.ts";
import { invoiceView } from "../../portal/invoice-view.ts";
import { receiptPdf } from "../../portal/receipt-pdf.server.ts";
import { call } from "../../testing/api-client.ts";
import { pdfText } from "../../testing/pdf-text.ts";
import { pay, periodOf, subscribe } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { billingDetailsForm } from "../billing-details/billing-details.ts";
import { getBillingDetails, saveBillingDetails } from "../billing-details/manage.server.ts";
import { validate } from "../input.ts";
import { checkout } from "../subscriptions/checkout.server.ts";
import { fixedRates } from "../tax/fixed-rates.ts";
import { getInvoice } from "./get-invoice.server.ts";
import { listInvoices } from "./invoices.server.ts";
import { reconcile } from "./reconcile.server.ts";
import { allPayments } from "./reconcile-queries.server.ts";

const seller = {
  name: "Hafen Daten GmbH",
  addressLines: ["Am Kai 1", "20457 Hamburg"],
  country: "DE",
  taxId: "DE123456789",
  email: "books@hafen.example",
};

let world: World;
beforeAll(async () => {
  world = await createWorld();
  world.ctx.settings.seller = seller;
  world.ctx.tax = fixedRates(
    seller,
    new Map([
      ["DE", { name: "VAT", ratePercent: "19" }],
      ["NL", { name: "VAT", ratePercent: "21" }],
    ]),
  );
});
afterAll(() => world.close());

const company = {
  name: "Łódź Shipping Sp. z o.o.",
  addressLine1: "ul. Portowa 7",
  postalCode: "90-001",
  city: "Łódź",
  country: "PL",
  taxId: "PL 123 456 78 90",
  purchaseOrder: "PO-4711",
  email: "ap@lodz.example",
};

const save = (caller: Caller, details: Record<string, string>) =>
  saveBillingDetails(world.ctx, caller, validate(billingDetailsForm, details));

const newest = async (caller: Caller) => {
  const [invoice] = await listInvoices(world.ctx, caller);
  if (!invoice) throw new Error("There is no invoice");
  return getInvoice(world.ctx, caller, { id: invoice.id });
};

const orderOne = (caller: Caller) =>
  checkout(world.ctx, caller, { items: [{ periodId: periodOf(world), term: "3_months" }], autoRenew: true });

const refund = async (orderId: number, amountCents?: number) => {
  const payment = (await allPayments(world.ctx.db)).find((each) => each.orderId === orderId);
  await world.simulator.refundCharge(payment?.chargeId ?? "", amountCents);
  await world.simulator.idle();
};

const textOf = async (caller: Caller) =>
  pdfText(await receiptPdf(invoiceView(await newest(caller), world.ctx.settings)));

describe("Billing details", () => {
  it("are saved with the tax number in its printed form", async () => {
    const { caller } = await world.account();
    expect(await getBillingDetails(world.ctx, caller)).toBeNull();
    await save(caller, company);
    expect(await getBillingDetails(world.ctx, caller)).toEqual({
      ...company,
      taxId: "PL1234567890",
      addressLine2: null,
      region: null,
    });
  });

  it.each([
    ["a tax number of another country", { ...company, country: "DE" }, "taxId"],
    ["an unknown country", { ...company, country: "XX" }, "country"],
    ["no name", { ...company, name: "  " }, "name"],
    ["an invalid e-mail address", { ...company, email: "accounts" }, "email"],
  ])("are rejected with %s", (_, details, path) => {
    expect(() => validate(billingDetailsForm, details)).toThrowError(
      expect.objectContaining({ code: "invalid", fields: [expect.objectContaining({ path })] }),
    );
  });
});

describe("An invoice", () => {
  it("adds the tax of the buyer's country, and the card is charged the sum", async () => {
    const { caller, token } = await world.account();
    await save(caller, { ...company, country: "NL", taxId: "" });
    const order = await orderOne(caller);
    const netCents = order.lines[0]?.totalCents ?? 0;
    expect(order.taxCents).toBe(Math.floor((netCents * 21 + 50) / 100));
    expect(order.amountCents).toBe(netCents + order.taxCents);
    expect(order.intent.amountCents).toBe(order.amountCents);
    await pay(world, caller, order);
    const receipts = await world.ctx.db
      .select()
      .from(outboxMessages)
      .where(eq(outboxMessages.accountId, caller.account.id));
    expect(receipts.find(({ dedupeKey }) => dedupeKey.startsWith("receipt:"))?.toAddress).toBe(company.email);
    const invoice = await newest(caller);
    expect(invoice).toMatchObject({
      amountCents: order.amountCents,
      taxCents: order.taxCents,
      isReverseCharge: false,
      seller,
      buyer: { name: company.name, country: "NL" },
      taxes: [{ name: "VAT", jurisdiction: "NL", ratePercent: "21", taxableCents: netCents, taxCents: order.taxCents }],
    });
    const { body } = await call(world, "GET", "/subscriptions/invoices", { token });
    expect(body.invoices[0]).toMatchObject({
      amount_cents: order.amountCents,
      tax_cents: order.taxCents,
      lines: [{ total_cents: netCents, tax_cents: order.taxCents }],
    });
  });

  it("has everything that an accountant looks for, on the PDF", async () => {
    const { caller } = await world.account();
    await save(caller, company);
    const order = await orderOne(caller);
    expect(order.taxCents).toBe(0);
    await pay(world, caller, order);
    const { number } = await newest(caller);
    const text = await textOf(caller);
    for (const words of [
      `Invoice ${number}`,
      "20 Nov 2026 (due on receipt)",
      "with Visa •••• 4242",
      "Hafen Daten GmbH",
      "20457 Hamburg",
      "VAT ID DE123456789",
      company.name,
      "90-001 Łódź",
      "Poland",
      "VAT ID PL1234567890",
      "PO-4711",
      "20 Nov 2026 – 19 Feb 2027",
      "Net amount",
      "Reverse charge",
      "page 1 of 1",
    ]) {
      expect(text).toContain(words);
    }
  });

  it("keeps the parties of its day, and so does its credit note", async () => {
    const { caller } = await world.account();
    await save(caller, company);
    await subscribe(world, caller);
    const before = await newest(caller);
    await save(caller, { ...company, name: "Renamed", country: "NL", taxId: "" });
    await refund(before.orderId, 500);
    expect(await getInvoice(world.ctx, caller, { id: before.id })).toMatchObject({ buyer: { name: company.name } });
    expect(await newest(caller)).toMatchObject({
      kind: "credit_note",
      seller,
      buyer: { name: company.name },
      isReverseCharge: true,
      refersTo: { number: before.number },
    });
  });

  it("names the details of the day of payment, unless the order was taxed with others", async () => {
    const { caller } = await world.account();
    await save(caller, company);
    const renamed = await orderOne(caller);
    await save(caller, { ...company, name: "Renamed" });
    await pay(world, caller, renamed);
    expect(await newest(caller)).toMatchObject({ buyer: { name: "Renamed" }, isReverseCharge: true });
    const moved = await orderOne(caller);
    await save(caller, { ...company, country: "NL", taxId: "" });
    await pay(world, caller, moved);
    expect(await newest(caller)).toMatchObject({ buyer: { country: "PL" }, isReverseCharge: true });
  });

  it("of a buyer without billing details is taxed as in the seller's country", async () => {
    const { account, caller } = await world.account();
    await subscribe(world, caller);
    expect(await newest(caller)).toMatchObject({ buyer: null, taxes: [{ jurisdiction: "DE", ratePercent: "19" }] });
    expect(await textOf(caller)).toContain(account.email);
  });
});

it("Credit notes give back the tax with the price, to the cent", async () => {
  const { caller } = await world.account();
  await save(caller, { ...company, country: "DE", taxId: "" });
  const order = await orderOne(caller);
  await pay(world, caller, order);
  await refund(order.orderId, 1_001);
  expect(await textOf(caller)).toContain("VAT 19% (DE)");
  await refund(order.orderId, 777);
  await refund(order.orderId);
  const notes = (await listInvoices(world.ctx, caller)).filter(({ kind }) => kind === "credit_note");
  expect(notes).toHaveLength(3);
  expect(notes.reduce((sum, { taxCents }) => sum + taxCents, 0)).toBe(-order.taxCents);
  expect(notes.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(-order.amountCents);
});

it("The books agree, tax included", async () => {
  expect((await reconcile(world.ctx)).differences).toEqual([]);
});
