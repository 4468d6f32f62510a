/**
 * The fonts of PDF receipts: the subset of Inter made by scripts/build-fonts.ts, with Latin, Greek and Cyrillic. They are
 * part of the server's build, in chunks that the first receipt loads.
 */
import { create } from "fontkit";

export type ReceiptFonts = {
  regular: Buffer;
  bold: Buffer;
  /** The text with the fonts' glyphs only: other characters in their compatibility form, or else as `lacking`. */
  printable(text: string): string;
};

/** Replaces a character that the fonts lack. */
export const missingGlyphs = "□";

export const receiptFonts = (): Promise<ReceiptFonts> => {
  loaded ??= load();
  return loaded;
};

let loaded: Promise<ReceiptFonts> | undefined;

const load = async (): Promise<ReceiptFonts> => {
  const [regular, bold] = await Promise.all([
    import("./fonts/inter-paper.ttf?inline").then(bytesOf),
    import("./fonts/inter-paper-bold.ttf?inline").then(bytesOf),
  ]);
  const known = lettersOf(regular);
  return { regular, bold, printable: (text) => written(text, known) };
};

const bytesOf = ({ default: url }: { default: string }): Buffer =>
  Buffer.from(url.slice(url.indexOf(",") + 1), "base64");

const lettersOf = (file: Buffer): ReadonlySet<number> => {
  const font = create(file);
  if (!("characterSet" in font)) throw new Error("The file holds several fonts");
  return new Set(font.characterSet);
};

/** A grapheme is written whole or not at all. */
const written = (text: string, known: ReadonlySet<number>): string => {
  const isKnown = (letters: string) => [...letters].every((letter) => known.has(letter.codePointAt(0) ?? 0));
  return Array.from(graphemes.segment(text.normalize("NFC")), ({ segment }) => {
    if (isKnown(segment)) return segment;
    // `ｼ` and `①` have compatibility forms (NFKC), and so has a letter with a mark that the font lacks.
    const plain = segment.normalize("NFKD").normalize("NFC");
    const bare = plain.normalize("NFD").replace(/\p{Mark}/gu, "");
    return [plain, bare].find((form) => form !== "" && isKnown(form)) ?? missingGlyphs;
  }).join("");
};

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
