/** An invoice or credit note as PDF. */
import { formatDay, formatMoney } from "./format.ts";
import { coversInWords, type InvoiceView, type LineView } from "./invoice-view.ts";
import { amount, margin, pdfOf, quiet, type Sheet, signed, width, wording } from "./pdf-sheet.server.ts";
import { missingGlyphs } from "./receipt-fonts.server.ts";

export const receiptPdf = (invoice: InvoiceView): Promise<Uint8Array<ArrayBuffer>> =>
  pdfOf(
    {
      title: invoice.title,
      issuer: invoice.issuer.name,
      subject: `${invoice.subject}, order ${invoice.orderId}`,
      writtenAt: new Date(invoice.issuedAt),
    },
    (page) => {
      heading(page, invoice);
      if (invoice.lines.length > 0) lines(page, invoice);
      else creditedInvoice(page, invoice);
      totals(page, invoice);
      notes(page, invoice);
    },
  );

const heading = (page: Sheet, invoice: InvoiceView): void => {
  page.row([invoice.title, { bold: true, size: 20 }]);
  page.gap(14);
  parties(page, invoice);
  page.gap(16);
  for (const [term, fact] of factsOf(invoice)) {
    page.row([term, { color: quiet, width: 80 }], [fact, { x: margin + 84, width: width - 84 }]);
  }
  page.gap(18);
};

/** Seller and buyer side by side. */
const parties = (page: Sheet, { issuer, buyer, account }: InvoiceView): void => {
  const half = width / 2 - 10;
  const right = { x: margin + width / 2 + 10, width: half };
  const from = [...issuer.lines, issuer.site];
  const to = buyer?.lines ?? [account.email];
  page.row(["From", { color: quiet, width: half }], ["Bill to", { ...right, color: quiet }]);
  page.row([issuer.name, { bold: true, width: half }], [buyer?.name ?? account.username, { ...right, bold: true }]);
  for (let i = 0; i < Math.max(from.length, to.length); i += 1) {
    page.row([from[i] ?? "", { width: half }], [to[i] ?? "", right]);
  }
};

/** What identifies the document and its payment. */
const factsOf = (invoice: InvoiceView): [string, string][] => {
  const isInvoice = invoice.kind === "invoice";
  const card = invoice.card ?? "the card used for the payment";
  return [
    ["Number", invoice.number],
    ["Issue date", formatDay(invoice.issuedAt)],
    ...rowIf(
      "Refers to",
      invoice.refersTo && `Invoice ${invoice.refersTo.number} of ${formatDay(invoice.refersTo.issuedAt)}`,
    ),
    ...rowIf("Due date", isInvoice ? `${formatDay(invoice.issuedAt)} (due on receipt)` : null),
    ...rowIf("Paid", invoice.paidAt && `${formatDay(invoice.paidAt)}, with ${card}`),
    ...rowIf("Refunded to", isInvoice ? null : card),
    ...rowIf("Dispute", invoice.dispute?.inWords ?? null),
    ...rowIf("Your PO", invoice.purchaseOrder),
    ["Order", `${invoice.orderId}, ${invoice.subject.toLowerCase()}`],
    ["Account", `${invoice.account.username}, ${invoice.account.email}`],
  ];
};

const rowIf = (term: string, fact: string | null): [string, string][] => (fact === null ? [] : [[term, fact]]);

const lines = (page: Sheet, invoice: InvoiceView): void => {
  page.row(
    [invoice.lines[0]?.code ? "Route data" : "Description", { bold: true }],
    [invoice.currency, { ...amount, bold: true }],
  );
  page.line();
  for (const line of invoice.lines) {
    page.need(36 + 15 * line.steps.length);
    lineRows(page, line, invoice.currency);
    page.line();
  }
};

const lineRows = (page: Sheet, line: LineView, currency: string): void => {
  page.row(
    [line.name, { ...wording, bold: true }],
    [formatMoney(line.totalCents, currency), { ...amount, bold: true }],
  );
  page.row([
    [line.code, line.covers && coversInWords(line.covers), line.taxRate].filter(Boolean).join(", "),
    { ...wording, color: quiet },
  ]);
  const indent = { x: margin + 12, width: wording.width - 12 - amount.width, color: quiet };
  const stepAmount = { ...amount, x: amount.x - amount.width, color: quiet };
  for (const step of line.steps) page.row([step.label, indent], [signed(step.cents, currency), stepAmount]);
};

const creditedInvoice = (page: Sheet, invoice: InvoiceView): void => {
  page.line();
  page.row(
    [`Refund of invoice ${invoice.refersTo?.number ?? ""}`, { ...wording, bold: true }],
    [signed(invoice.amountCents, invoice.currency), { ...amount, bold: true }],
  );
  page.line();
};

const totals = (page: Sheet, invoice: InvoiceView): void => {
  const { currency, creditNotes, chargedBackCents } = invoice;
  page.need(62 + 16 * (creditNotes.length + invoice.taxes.length + (chargedBackCents > 0 ? 1 : 0)));
  page.gap(4);
  page.row(["Net amount", wording], [signed(invoice.netCents, currency), amount]);
  for (const tax of invoice.taxes) page.row([tax.label, wording], [signed(tax.cents, currency), amount]);
  if (invoice.taxes.length === 0) page.row(["Tax", wording], [formatMoney(0, currency), amount]);
  const label = invoice.kind === "invoice" ? "Total paid" : "Total refunded";
  page.row(
    [label, { ...wording, bold: true, size: 12 }],
    [formatMoney(Math.abs(invoice.amountCents), currency), { ...amount, bold: true, size: 12 }],
  );
  for (const note of creditNotes) {
    page.row(
      [`Credit note ${note.number} of ${formatDay(note.issuedAt)}`, { ...wording, color: quiet }],
      [signed(note.amountCents, currency), { ...amount, color: quiet }],
    );
  }
  if (chargedBackCents > 0) {
    page.row(
      ["Returned by the bank", { ...wording, color: quiet }],
      [signed(-chargedBackCents, currency), { ...amount, color: quiet }],
    );
  }
  if (creditNotes.length > 0 || chargedBackCents > 0) {
    page.row(
      [chargedBackCents > 0 ? "Balance" : "Balance after refunds", wording],
      [formatMoney(invoice.balanceCents, currency), amount],
    );
  }
};

const notes = (page: Sheet, invoice: InvoiceView): void => {
  page.gap(22);
  if (invoice.reverseCharge !== null) page.row([invoice.reverseCharge, { bold: true }]);
  if (invoice.testMode) page.row(["Test mode: no card was charged.", { bold: true }]);
  if (page.lacksLetters) {
    page.row([
      `${missingGlyphs} replaces characters that this file cannot show. The page of the invoice shows them.`,
      { color: quiet },
    ]);
  }
};
