/**
 * The fonts of PDF receipts: the subset of Inter made by scripts/build-fonts.ts, with Latin, Greek and Cyrillic. They are
 * part of the server's build, in chunks that the first receipt loads.
 */
import { create } from "fontkit";
import { rememberFor } from "../platform/remember.ts";
import { fallbackFonts } from "./fallback-fonts.server.ts";

export type ReceiptFonts = {
  regular: Buffer;
  bold: Buffer;
  /** Fonts of other scripts, by name. */
  others: ReadonlyMap<string, Buffer>;
  /** How a text is written. */
  write(text: string): Writing;
};

export type Writing = {
  /** With the font's glyphs only: other characters in their compatibility form, or else as `missingGlyphs`. */
  text: string;
  /** A name of `others`. Null: the regular or bold font. */
  font: string | null;
};

/** Replaces a character that the fonts lack. */
export const missingGlyphs = "□";

/** @param unwritable text that the regular font lacks; the fonts for its scripts are loaded */
export const receiptFonts = async (unwritable = ""): Promise<ReceiptFonts> => {
  loaded ??= load();
  const fonts = await loaded;
  const others = await fallbackFonts(unwritable);
  const known = [...others].map(([font, file]) => ({ font, letters: lettersOf(file) }));
  const write = (text: string): Writing => {
    const plain: Writing = { text: written(text, fonts.letters), font: null };
    return known.reduce((best, { font, letters }) => {
      const other = { text: written(text, letters), font };
      return lackingIn(other) < lackingIn(best) ? other : best;
    }, plain);
  };
  return { ...fonts, others, write };
};

const lackingIn = ({ text }: Writing): number => text.split(missingGlyphs).length - 1;

type PlainFonts = Pick<ReceiptFonts, "regular" | "bold"> & { letters: ReadonlySet<number> };

let loaded: Promise<PlainFonts> | undefined;

const load = async (): Promise<PlainFonts> => {
  const [regular, bold] = await Promise.all([
    import("./fonts/inter-paper.ttf?inline").then(bytesOf),
    import("./fonts/inter-paper-bold.ttf?inline").then(bytesOf),
  ]);
  return { regular, bold, letters: lettersOf(regular) };
};

const bytesOf = ({ default: url }: { default: string }): Buffer =>
  Buffer.from(url.slice(url.indexOf(",") + 1), "base64");

const lettersOf = rememberFor((file: Buffer): ReadonlySet<number> => {
  const font = create(file);
  if (!("characterSet" in font)) throw new Error("The file holds several fonts");
  return new Set(font.characterSet);
});

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
