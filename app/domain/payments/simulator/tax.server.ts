/** Tax calculations of Stripe Tax, for a seller in Germany who is registered in the countries below. */
import { isEuMember } from "../../tax/countries.ts";
import { taxAt } from "../../tax/tax.ts";
import type { Stripe } from "../stripe.server.ts";
import { type Answer, type Call, ok } from "./call.ts";
import { badRequest, noSuch } from "./failure.ts";
import { type Objects, seconds } from "./objects.ts";
import { findObject, insertObject } from "./queries.server.ts";

const sellerCountry = "DE";
/** Standard rates of VAT. */
const rates: Readonly<Record<string, string>> = {
  AT: "20.0",
  CH: "8.1",
  DE: "19.0",
  FR: "20.0",
  GB: "20.0",
  NL: "21.0",
};

export const createCalculation = async (call: Call): Promise<Answer> => {
  const { tx, now, params, newId } = call;
  const currency = params.required("currency");
  const country = params.required("customer_details[address][country]");
  const postalCode = params.text("customer_details[address][postal_code]") ?? null;
  if (country === "US" && postalCode === null) {
    throw badRequest("We could not determine the customer's tax location. Please provide a postal code.", {
      code: "customer_tax_location_invalid",
      param: "customer_details[address]",
    });
  }
  const taxId = params.text("customer_details[tax_ids][0][value]") ?? null;
  const id = newId("taxcalc_");
  const items = lineItemsOf(call).map((item) => taxedItem(newId("tax_li_"), item, country, taxId));
  const taxCents = items.reduce((sum, { amount_tax }) => sum + amount_tax, 0);
  const netCents = items.reduce((sum, { amount }) => sum + amount, 0);
  const body: Objects["tax.calculation"] = {
    id,
    object: "tax.calculation",
    amount_total: netCents + taxCents,
    currency,
    customer: null,
    customer_details: {
      address: {
        country,
        state: params.text("customer_details[address][state]") ?? null,
        postal_code: postalCode,
        city: null,
        line1: null,
        line2: null,
      },
      address_source: "billing",
      ip_address: null,
      tax_ids:
        taxId === null
          ? []
          : [{ type: params.required("customer_details[tax_ids][0][type]") as "eu_vat", value: taxId }],
      taxability_override: "none",
    },
    expires_at: seconds(now) + 90 * 86_400,
    livemode: false,
    ship_from_details: null,
    shipping_cost: null,
    tax_amount_exclusive: taxCents,
    tax_amount_inclusive: 0,
    tax_breakdown: [],
    tax_date: seconds(now),
  };
  await insertObject(tx, { kind: "tax.calculation", body, hidden: { items }, parentId: null }, now);
  return ok(body);
};

type Item = { reference: string; amount: number };

const lineItemsOf = ({ params }: Call): Item[] => {
  const items: Item[] = [];
  for (let index = 0; params.hasGroup(`line_items[${index}]`); index += 1) {
    items.push({
      amount: params.integer(`line_items[${index}][amount]`) ?? 0,
      reference: params.text(`line_items[${index}][reference]`) ?? `L${index + 1}`,
    });
  }
  if (items.length === 0) throw badRequest("Missing required param: line_items.", { param: "line_items" });
  return items;
};

const taxedItem = (
  id: string,
  { reference, amount }: Item,
  country: string,
  taxId: string | null,
): Stripe.Tax.CalculationLineItem => {
  const isReverseCharge =
    taxId !== null && country !== sellerCountry && isEuMember(country) && isEuMember(sellerCountry);
  const rate = isReverseCharge ? undefined : rates[country];
  const taxCents = rate === undefined ? 0 : taxAt(amount, rate);
  return {
    id,
    object: "tax.calculation_line_item",
    amount,
    amount_tax: taxCents,
    livemode: false,
    metadata: null,
    performance_location: null,
    product: null,
    quantity: 1,
    reference,
    tax_behavior: "exclusive",
    tax_code: "txcd_10000000",
    tax_breakdown: [
      {
        amount: taxCents,
        jurisdiction: { country, display_name: country, level: "country", state: null },
        sourcing: "destination",
        tax_rate_details:
          rate === undefined ? null : { display_name: "VAT", percentage_decimal: rate, tax_type: "vat" },
        taxability_reason: isReverseCharge
          ? "reverse_charge"
          : rate === undefined
            ? "not_collecting"
            : "standard_rated",
        taxable_amount: rate === undefined ? 0 : amount,
      },
    ],
  };
};

export const listCalculationItems = async ({ tx, id, params }: Call): Promise<Answer> => {
  const calculation = await findObject(tx, "tax.calculation", id);
  if (!calculation) throw noSuch("tax.calculation", id, "id", 404);
  const { items } = calculation.hidden;
  const after = items.findIndex((item) => item.id === params.text("starting_after")) + 1;
  const limit = params.integer("limit") ?? 10;
  const data = items.slice(after, after + limit);
  const url = `/v1/tax/calculations/${id}/line_items`;
  return ok({ object: "list", data, has_more: after + data.length < items.length, url });
};

/** A payment intent must be over the total of its calculation. */
export const requireCalculation = async ({ tx, params }: Call, amount: number): Promise<void> => {
  const id = params.text("hooks[inputs][tax][calculation]");
  if (id === undefined) return;
  const param = "hooks[inputs][tax][calculation]";
  const calculation = await findObject(tx, "tax.calculation", id);
  if (!calculation) throw noSuch("tax.calculation", id, param);
  if (calculation.body.amount_total !== amount) {
    throw badRequest("The amount of the PaymentIntent must match the total amount of the tax calculation.", { param });
  }
};
