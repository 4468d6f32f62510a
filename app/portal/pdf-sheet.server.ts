/** Sheets of paper as PDF: A4, selectable text with embedded fonts, and identical bytes every time. */
import PDFDocument from "pdfkit";
import { formatMoney } from "./format.ts";
import { missingGlyphs, type ReceiptFonts, receiptFonts } from "./receipt-fonts.server.ts";
import { isRightToLeft, visualRuns } from "./text-direction.ts";

/** @param about.title `Invoice 2026-000042`, also at the foot of every page */
export const pdfOf = async (about: About, write: (page: Sheet) => void): Promise<Uint8Array<ArrayBuffer>> => {
  const plain = await rendered(about, write, await receiptFonts());
  if (plain.unwritable === "") return plain.bytes;
  return (await rendered(about, write, await receiptFonts(plain.unwritable))).bytes;
};

type About = { title: string; issuer: string; subject: string; writtenAt: Date };

const rendered = async (
  about: About,
  write: (page: Sheet) => void,
  fonts: ReceiptFonts,
): Promise<{ bytes: Uint8Array<ArrayBuffer>; unwritable: string }> => {
  const doc = new PDFDocument({
    size: "A4",
    margin,
    bufferPages: true,
    lang: "en",
    displayTitle: true,
    info: {
      Title: `${about.title}, ${about.issuer}`,
      Author: about.issuer,
      Subject: about.subject,
      // The file's id is derived from this; without it, no two copies would be identical.
      CreationDate: about.writtenAt,
    },
  });
  const bytes = collect(doc);
  const page = new Sheet(doc, fonts);
  write(page);
  page.numberPages(about.title);
  doc.end();
  return { bytes: await bytes, unwritable: page.unwritable };
};

export const margin = 56;
export const width = 595.28 - 2 * margin;
const bottom = 841.89 - margin - 24;
const ink = "#0b1d2e";
export const quiet = "#4a5b6c";
const rule = "#c9d3dc";

type Style = { bold?: boolean; size?: number; color?: string; align?: "left" | "right"; x?: number; width?: number };

/** Writes from top to bottom, and starts a new page when the space runs out. */
export class Sheet {
  private y = margin;
  /** The texts in which a character was replaced by `missingGlyphs`. */
  unwritable = "";
  private readonly doc: PDFKit.PDFDocument;
  private readonly fonts: ReceiptFonts;
  constructor(doc: PDFKit.PDFDocument, fonts: ReceiptFonts) {
    this.doc = doc.registerFont("regular", fonts.regular).registerFont("bold", fonts.bold);
    for (const [name, font] of fonts.others) doc.registerFont(name, font);
    this.fonts = fonts;
  }

  get lacksLetters(): boolean {
    return this.unwritable !== "";
  }

  /** Texts side by side; the next line starts below the tallest. */
  row(...texts: [text: string, style?: Style][]): void {
    const placed = texts.map(([text, style = {}]) => {
      const at = { x: margin, width, align: "left" as const, size: 9.5, color: ink, bold: false, ...style };
      const writing = this.fonts.write(text);
      if (writing.text.includes(missingGlyphs)) this.unwritable += text;
      const font = writing.font ?? (at.bold ? "bold" : "regular");
      return { ...at, font, text: writing.text, height: this.heightOf(writing.text, font, at) };
    });
    const height = Math.max(...placed.map((one) => one.height));
    this.need(height);
    for (const { text, x, align, color, font, size, ...at } of placed) {
      this.doc.font(font).fontSize(size).fillColor(color);
      if (isRightToLeft(text)) {
        this.runs(text, x);
        continue;
      }
      // Tabular figures, so that columns line up.
      const features: PDFKit.Mixins.OpenTypeFeatures[] = align === "right" ? ["tnum"] : [];
      this.doc.text(text, x, this.y, { width: at.width, align, lineGap, features });
    }
    this.y += height;
  }

  /** One line of runs in both directions. Each run is shaped as a whole, so that its letters join. */
  private runs(line: string, from: number): void {
    let x = from;
    for (const run of visualRuns(line)) {
      const features: PDFKit.Mixins.OpenTypeFeatures[] = [];
      this.doc.text(run, x, this.y, { lineBreak: false, features });
      x += this.doc.widthOfString(run, { features });
    }
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

  private heightOf(text: string, font: string, { size, width }: { size: number; width: number }): number {
    this.doc.font(font).fontSize(size);
    return this.doc.heightOfString(text, { width, lineGap });
  }
}

const lineGap = 2.5;
const amountWidth = 110;
export const amount = { x: margin + width - amountWidth, width: amountWidth, align: "right" } as const;
export const wording = { width: width - amountWidth - 12 };

/** `−USD 12.00` for a negative amount. */
export const signed = (cents: number, currency: string): string =>
  cents < 0 ? `−${formatMoney(-cents, currency)}` : formatMoney(cents, currency);

const collect = (doc: PDFKit.PDFDocument): Promise<Uint8Array<ArrayBuffer>> =>
  new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    doc.on("data", (chunk: Uint8Array) => chunks.push(chunk));
    doc.on("end", () => resolve(new Uint8Array(Buffer.concat(chunks))));
    doc.on("error", reject);
  });
