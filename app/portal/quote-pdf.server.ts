/** An offer as PDF. */
import { formatCount, formatDay, formatMoney } from "./format.ts";
import type { InvoiceView } from "./invoice-view.ts";
import { amount, margin, pdfOf, quiet, type Sheet, signed, width, wording } from "./pdf-sheet.server.ts";
import type { QuoteView } from "./quote-view.ts";
import { missingGlyphs } from "./receipt-fonts.server.ts";

type Offered = QuoteView & { offer: NonNullable<QuoteView["offer"]> };

type Paper = {
  quote: Offered;
  account: { username: string; email: string };
  issuer: InvoiceView["issuer"];
  testMode: boolean;
};

export const quotePdf = (paper: Paper): Promise<Uint8Array<ArrayBuffer>> => {
  const { quote, issuer } = paper;
  return pdfOf(
    {
      title: quote.title,
      issuer: issuer.name,
      subject: `Offer for ${formatCount(quote.routes, "route")}`,
      writtenAt: new Date(quote.offer.offeredAt),
    },
    (page) => {
      heading(page, paper);
      lines(page, quote);
      totals(page, quote);
      notes(page, paper);
    },
  );
};

const heading = (page: Sheet, { quote, account, issuer }: Paper): void => {
  page.row([issuer.name, { bold: true, size: 13 }]);
  for (const line of [...issuer.lines, issuer.site]) page.row([line, { color: quiet }]);
  page.gap(26);
  page.row([quote.title, { bold: true, size: 20 }]);
  page.gap(8);
  const facts: [string, string][] = [
    ["Date", formatDay(quote.offer.offeredAt)],
    ["Account", `${account.username}, ${account.email}`],
    ["Offer", `${quote.offerNumber}, for ${formatCount(quote.routes, "route")}`],
    ["Last day", formatDay(quote.offer.validThrough)],
  ];
  for (const [term, fact] of facts) {
    page.row([term, { color: quiet, width: 80 }], [fact, { x: margin + 84, width: width - 84 }]);
  }
  page.gap(18);
};

const lines = (page: Sheet, { lines, currency }: Offered): void => {
  page.row(["Route data", { bold: true }], [currency, { ...amount, bold: true }]);
  page.line();
  const indent = { x: margin + 12, width: wording.width - 12 - amount.width, color: quiet };
  const stepAmount = { ...amount, x: amount.x - amount.width, color: quiet };
  for (const line of lines) {
    page.need(36 + 15 * line.steps.length);
    page.row(
      [line.routeName, { ...wording, bold: true }],
      [formatMoney(line.totalCents, currency), { ...amount, bold: true }],
    );
    page.row([line.routeCode, { ...wording, color: quiet }]);
    for (const step of line.steps) page.row([step.label, indent], [signed(step.cents, currency), stepAmount]);
    page.line();
  }
};

const totals = (page: Sheet, { listCents, totalCents, totalLabel, currency }: Offered): void => {
  page.need(46);
  page.gap(4);
  page.row(
    ["List price", { ...wording, color: quiet }],
    [formatMoney(listCents, currency), { ...amount, color: quiet }],
  );
  page.row(
    [totalLabel, { ...wording, bold: true, size: 12 }],
    [formatMoney(totalCents, currency), { ...amount, bold: true, size: 12 }],
  );
};

const notes = (page: Sheet, { quote, testMode }: Paper): void => {
  page.gap(22);
  if (quote.offer.note !== "") page.row([quote.offer.note]);
  if (quote.offer.staysInWords) page.row([quote.offer.staysInWords]);
  page.row(["Accept and pay in the portal, under Billing, Quotes.", { color: quiet }]);
  if (testMode) page.row(["Test mode: no card is charged.", { bold: true }]);
  if (page.lacksLetters)
    page.row([`${missingGlyphs} replaces characters that this file cannot show.`, { color: quiet }]);
};
