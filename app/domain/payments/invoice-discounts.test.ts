/** Invoices state the discount reason that was stored when the line was priced. */
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { readDemoCatalogue } from "#drizzle/seed/catalogue-files.ts";
import { invoiceView } from "../../portal/invoice-view.ts";
import { receiptPdf } from "../../portal/receipt-pdf.server.ts";
import { call } from "../../testing/api-client.ts";
import { pdfText } from "../../testing/pdf-text.ts";
import { pay, periodOf } from "../../testing/purchases.ts";
import { createWorld, type World } from "../../testing/world.ts";
import type { Caller } from "../accounts/caller.ts";
import { checkout } from "../subscriptions/checkout.server.ts";
import { renewSubscription } from "../subscriptions/renew.server.ts";
import { getInvoice } from "./get-invoice.server.ts";
import { listInvoices } from "./invoices.server.ts";

const today = "2026-11-20";
let world: World;
beforeAll(async () => {
  const routeCodes = readDemoCatalogue({ today }).routeCodes.slice(0, 21);
  world = await createWorld({ now: `${today}T09:30:00Z`, routeCodes });
});
afterAll(() => world.close());

const buy = async (caller: Caller, routes: number) => {
  const items = world.routes.slice(0, routes).map(({ code }) => ({
    periodId: periodOf(world, code),
    term: "1_month" as const,
  }));
  return pay(world, caller, await checkout(world.ctx, caller, { items, autoRenew: false }));
};

const newest = async (caller: Caller) => {
  const [invoice] = await listInvoices(world.ctx, caller);
  if (!invoice) throw new Error("There is no invoice");
  return getInvoice(world.ctx, caller, { id: invoice.id });
};

const printedOn = async (view: ReturnType<typeof invoiceView>) => ({
  page: view.lines.flatMap(({ steps }) => steps.map(({ label }) => label)).join("\n"),
  receipt: pdfText(await receiptPdf(view)),
});

const agreeing = (caller: Caller, customDiscountPercent: number): Caller => ({
  ...caller,
  account: { ...caller.account, customDiscountPercent },
});

describe("The volume discount of an invoice", () => {
  it.each([
    [5, "Volume discount of 5% for 5 to 10 routes", { kind: "tier", from_routes: 5, to_routes: 10 }],
    [11, "Volume discount of 10% for 11 to 20 routes", { kind: "tier", from_routes: 11, to_routes: 20 }],
  ])(
    "names the tier that %i routes reached, on the page, on the receipt and in the API",
    async (routes, label, reason) => {
      const { caller, token } = await world.account();
      await buy(caller, routes);
      const { page, receipt } = await printedOn(invoiceView(await newest(caller), world.ctx.settings));
      expect(page).toContain(label);
      expect(receipt).toContain(label);
      const { body } = await call(world, "GET", "/subscriptions/invoices", { token });
      expect(body.invoices[0].lines[0]).toMatchObject({ volume_discount_reason: reason });
    },
  );

  it.each([5, 10])("names no tier when %i percent were agreed with sales", async (percent) => {
    const { caller, token } = await world.account();
    await buy(agreeing(caller, percent), 21);
    const { page, receipt } = await printedOn(invoiceView(await newest(caller), world.ctx.settings));
    for (const text of [page, receipt]) {
      expect(text).toContain(`Volume discount of ${percent}% as agreed`);
      expect(text).not.toMatch(/for \d+ (to \d+ )?routes/);
    }
    const { body } = await call(world, "GET", "/subscriptions/invoices", { token });
    expect(body.invoices[0].lines[0]).toMatchObject({
      volume_discount_percent: percent,
      volume_discount_reason: { kind: "agreed", from_routes: null, to_routes: null },
    });
  });

  it("names the last tier, without an end, on a renewal beyond the table", async () => {
    const { caller } = await world.account();
    const { id } = await buy(agreeing(caller, 30), 21);
    await pay(world, caller, await renewSubscription(world.ctx, caller, { id }));
    const { page } = await printedOn(invoiceView(await newest(caller), world.ctx.settings));
    expect(page).toContain("Volume discount of 10% for 11 routes or more");
  });

  it("keeps its words when the table changes", async () => {
    const { caller } = await world.account();
    await buy(caller, 5);
    const before = invoiceView(await newest(caller), world.ctx.settings);
    vi.resetModules();
    vi.doMock("../pricing/policy.ts", async (original) => ({
      ...(await original<typeof import("../pricing/policy.ts")>()),
      volumeTiers: [
        { fromRoutes: 2, percent: 1 },
        { fromRoutes: 4, percent: 7 },
      ],
    }));
    const { volumeDiscount } = await import("../pricing/volume-discount.ts");
    expect(volumeDiscount(5, null)).toMatchObject({ percent: 7 });
    const later = {
      ...(await import("./get-invoice.server.ts")),
      ...(await import("../../portal/invoice-view.ts")),
    };
    const after = later.invoiceView(await later.getInvoice(world.ctx, caller, { id: before.id }), world.ctx.settings);
    expect(after).toEqual(before);
    vi.doUnmock("../pricing/policy.ts");
  });
});
