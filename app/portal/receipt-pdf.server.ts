/** An invoice or credit note as PDF: A4, selectable text with embedded fonts, and identical bytes every time. */
import PDFDocument from "pdfkit";
import { formatDay, formatMoney } from "./format.ts";
import { coversInWords, type InvoiceView, type LineView } from "./invoice-view.ts";
import { missingGlyphs, type ReceiptFonts, receiptFonts } from "./receipt-fonts.server.ts";

export const receiptPdf = async (invoice: InvoiceView): Promise<Uint8Array<ArrayBuffer>> => {
  const fonts = await receiptFonts();
  const doc = new PDFDocument({
    size: "A4",
    margin,
    bufferPages: true,
    lang: "en",
    displayTitle: true,
    info: {
      Title: `${invoice.title}, ${invoice.issuer.name}`,
      Author: invoice.issuer.name,
      Subject: `${invoice.subject}, order ${invoice.orderId}`,
      // The file's id is derived from this; without it, no two copies would be identical.
      CreationDate: new Date(invoice.issuedAt),
    },
  });
  const bytes = collect(doc);
  const page = new Sheet(doc, fonts);
  heading(page, invoice);
  if (invoice.lines.length > 0) lines(page, invoice);
  else creditedInvoice(page, invoice);
  totals(page, invoice);
  notes(page, invoice);
  page.numberPages(invoice.title);
  doc.end();
  return bytes;
};

const margin = 56;
const width = 595.28 - 2 * margin;
const bottom = 841.89 - margin - 24;
const ink = "#0b1d2e";
const quiet = "#4a5b6c";
const rule = "#c9d3dc";

type Style = { bold?: boolean; size?: number; color?: string; align?: "left" | "right"; x?: number; width?: number };

/** Writes from top to bottom, and starts a new page when the space runs out. */
class Sheet {
  private y = margin;
  /** Whether a character was replaced by `lacking`. */
  lacksLetters = false;
  private readonly doc: PDFKit.PDFDocument;
  private readonly fonts: ReceiptFonts;
  constructor(doc: PDFKit.PDFDocument, fonts: ReceiptFonts) {
    this.doc = doc.registerFont("regular", fonts.regular).registerFont("bold", fonts.bold);
    this.fonts = fonts;
  }

  /** Texts side by side; the next line starts below the tallest. */
  row(...texts: [text: string, style?: Style][]): void {
    const placed = texts.map(([text, style = {}]) => {
      const at = { x: margin, width, align: "left" as const, size: 9.5, color: ink, bold: false, ...style };
      const letters = this.fonts.printable(text);
      this.lacksLetters ||= letters.includes(missingGlyphs);
      return { ...at, text: letters, height: this.heightOf(letters, at) };
    });
    const height = Math.max(...placed.map((one) => one.height));
    this.need(height);
    for (const { text, x, align, color, bold, size, ...at } of placed) {
      this.doc
        .font(bold ? "bold" : "regular")
        .fontSize(size)
        .fillColor(color);
      // Tabular figures, so that columns line up.
      const features: PDFKit.Mixins.OpenTypeFeatures[] = align === "right" ? ["tnum"] : [];
      this.doc.text(text, x, this.y, { width: at.width, align, lineGap, features });
    }
    this.y += height;
  }

  gap(points: number): void {
    this.y += points;
  }

  line(): void {
    this.need(12);
    const y = this.y + 5;
    this.doc
      .moveTo(margin, y)
      .lineTo(margin + width, y)
      .lineWidth(0.6)
      .strokeColor(rule)
      .stroke();
    this.y += 11;
  }

  /** Starts a new page unless this many points are left. */
  need(points: number): void {
    if (this.y + points <= bottom) return;
    this.doc.addPage();
    this.y = margin;
  }

  numberPages(title: string): void {
    const { count } = this.doc.bufferedPageRange();
    for (let i = 0; i < count; i += 1) {
      this.doc.switchToPage(i);
      // Below the margin, where text would otherwise start a new page.
      this.doc.page.margins.bottom = 0;
      this.doc.font("regular").fontSize(8).fillColor(quiet);
      this.doc.text(`${title}, page ${i + 1} of ${count}`, margin, 841.89 - margin, { width, align: "right" });
    }
  }

  private heightOf(text: string, { bold, size, width }: { bold: boolean; size: number; width: number }): number {
    this.doc.font(bold ? "bold" : "regular").fontSize(size);
    return this.doc.heightOfString(text, { width, lineGap });
  }
}

const lineGap = 2.5;
const amountWidth = 110;
const amount = { x: margin + width - amountWidth, width: amountWidth, align: "right" } as const;
const wording = { width: width - amountWidth - 12 };

const heading = (page: Sheet, invoice: InvoiceView): void => {
  page.row([invoice.issuer.name, { bold: true, size: 13 }]);
  page.row([invoice.issuer.site, { color: quiet }]);
  page.gap(26);
  page.row([invoice.title, { bold: true, size: 20 }]);
  page.gap(8);
  const facts: [string, string][] = [
    ["Date", formatDay(invoice.issuedAt)],
    ["Account", `${invoice.account.username}, ${invoice.account.email}`],
    ["Order", `${invoice.orderId}, ${invoice.subject.toLowerCase()}`],
    [invoice.kind === "invoice" ? "Paid with" : "Refunded to", invoice.card ?? "the card of the payment"],
    ...(invoice.refersTo
      ? [
          ["Refers to", `Invoice ${invoice.refersTo.number} of ${formatDay(invoice.refersTo.issuedAt)}`] as [
            string,
            string,
          ],
        ]
      : []),
  ];
  for (const [term, fact] of facts) {
    page.row([term, { color: quiet, width: 80 }], [fact, { x: margin + 84, width: width - 84 }]);
  }
  page.gap(18);
};

const lines = (page: Sheet, invoice: InvoiceView): void => {
  page.row(["Route data", { bold: true }], [invoice.currency, { ...amount, bold: true }]);
  page.line();
  for (const line of invoice.lines) {
    page.need(36 + 15 * line.steps.length);
    lineRows(page, line, invoice.currency);
    page.line();
  }
};

const lineRows = (page: Sheet, line: LineView, currency: string): void => {
  page.row(
    [line.routeName, { ...wording, bold: true }],
    [formatMoney(line.totalCents, currency), { ...amount, bold: true }],
  );
  page.row([
    [line.routeCode, line.covers && coversInWords(line.covers)].filter(Boolean).join(", "),
    { ...wording, color: quiet },
  ]);
  const indent = { x: margin + 12, width: wording.width - 12 - amountWidth, color: quiet };
  const stepAmount = { ...amount, x: amount.x - amountWidth, color: quiet };
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
  const { currency, creditNotes } = invoice;
  page.need(30 + 16 * creditNotes.length);
  page.gap(4);
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
  if (creditNotes.length > 0) {
    page.row(["Left after refunds", wording], [formatMoney(invoice.balanceCents, currency), amount]);
  }
};

const notes = (page: Sheet, invoice: InvoiceView): void => {
  page.gap(22);
  if (invoice.testMode) page.row(["Test mode: no card was charged.", { bold: true }]);
  if (page.lacksLetters) {
    page.row([
      `${missingGlyphs} stands for letters that this file cannot show; the page of the invoice shows them.`,
      { color: quiet },
    ]);
  }
};

const signed = (cents: number, currency: string): string =>
  cents < 0 ? `−${formatMoney(-cents, currency)}` : formatMoney(cents, currency);

const collect = (doc: PDFKit.PDFDocument): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    doc.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    doc.on("end", () => resolve(new Uint8Array(Buffer.concat(chunks))));
    doc.on("error", reject);
  });
