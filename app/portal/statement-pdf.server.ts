/** A monthly statement as PDF. */
import { formatDay } from "./format.ts";
import type { InvoiceView } from "./invoice-view.ts";
import { amount, margin, pdfOf, quiet, type Sheet, signed, width, wording } from "./pdf-sheet.server.ts";
import { missingGlyphs } from "./receipt-fonts.server.ts";
import type { StatementView } from "./statement-view.ts";

type Paper = {
  statement: StatementView;
  account: { username: string; email: string };
  issuer: InvoiceView["issuer"];
  testMode: boolean;
  /** The end of the month; while it lasts, the present. */
  writtenAt: Date;
};

export const statementPdf = (paper: Paper): Promise<Uint8Array<ArrayBuffer>> => {
  const { statement, issuer, writtenAt } = paper;
  return pdfOf({ title: statement.title, issuer: issuer.name, subject: statement.title, writtenAt }, (page) => {
    heading(page, paper);
    entries(page, statement);
    totals(page, statement);
    notes(page, paper);
  });
};

const heading = (page: Sheet, { statement, account, issuer, writtenAt }: Paper): void => {
  page.row([issuer.name, { bold: true, size: 13 }]);
  for (const line of [...issuer.lines, issuer.site]) page.row([line, { color: quiet }]);
  page.gap(26);
  page.row([statement.title, { bold: true, size: 20 }]);
  page.gap(8);
  const facts: [string, string][] = [
    ["Account", `${account.username}, ${account.email}`],
    ...(statement.isComplete ? [] : [["As of", formatDay(writtenAt)] as [string, string]]),
  ];
  for (const [term, fact] of facts) {
    page.row([term, { color: quiet, width: 80 }], [fact, { x: margin + 84, width: width - 84 }]);
  }
  page.gap(18);
};

const dateWidth = 80;
const label = { x: margin + dateWidth, width: wording.width - dateWidth };

const entries = (page: Sheet, { currency, openingCents, entries }: StatementView): void => {
  page.row(["Date", { bold: true }], ["Entry", { ...label, bold: true }], [currency, { ...amount, bold: true }]);
  page.line();
  page.row(["Opening balance", label], [signed(openingCents, currency), amount]);
  for (const entry of entries) {
    page.row(
      [formatDay(entry.at), { color: quiet, width: dateWidth }],
      [entry.label, label],
      [signed(entry.amountCents, currency), amount],
    );
  }
  page.line();
};

const totals = (page: Sheet, { currency, totals, closingCents, disputes }: StatementView): void => {
  page.need(24 + 16 * totals.length);
  for (const { label, cents } of totals) {
    page.row([label, { ...wording, color: quiet }], [signed(cents, currency), { ...amount, color: quiet }]);
  }
  page.gap(4);
  page.row(
    ["Closing balance", { ...wording, bold: true, size: 12 }],
    [signed(closingCents, currency), { ...amount, bold: true, size: 12 }],
  );
  if (disputes.length === 0) return;
  page.gap(18);
  page.row(["Disputes", { bold: true }]);
  page.line();
  for (const dispute of disputes) page.row([dispute.label, wording], [signed(dispute.amountCents, currency), amount]);
};

const notes = (page: Sheet, { testMode }: Paper): void => {
  page.gap(22);
  page.row(["A positive balance is what you owe us. Payments and credit notes reduce it.", { color: quiet }]);
  if (testMode) page.row(["Test mode: no card was charged.", { bold: true }]);
  if (page.lacksLetters) {
    page.row([`${missingGlyphs} replaces characters that this file cannot show.`, { color: quiet }]);
  }
};
