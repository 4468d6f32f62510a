/**
 * Subsets Inter. For pages: the weights in use, the letters of Western and Central European names, and the layout features of
 * app/styles.css. For PDF receipts, which have no fallback font: every Latin, Greek and Cyrillic letter. Run it after
 * changing one of these; the results are committed. The pages' character ranges are in app/styles.css too.
 */
import { readFileSync, writeFileSync } from "node:fs";
import subsetFont, { type SubsetOptions } from "subset-font";

const weights = { min: 400, max: 700, default: 400 };
const keepFeatures = ["kern", "mark", "mkmk", "ccmp", "locl", "calt", "tnum", "cv11", "ss03"];
const forPages: SubsetOptions = { targetFormat: "woff2", keepFeatures, variationAxes: { wght: weights } };
/** Uncompressed, because it is read for every receipt. */
const forPaper: SubsetOptions = { targetFormat: "sfnt", keepFeatures: ["kern", "mark", "mkmk", "ccmp", "tnum"] };

const range = (from: number, to: number): string =>
  String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, i) => from + i));

const cut = async (source: string, text: string, file: string, options = forPages): Promise<void> => {
  const font = readFileSync(new URL(source));
  const result = await subsetFont(font, text, options);
  writeFileSync(new URL(`../app/portal/fonts/${file}`, import.meta.url), result);
  process.stdout.write(`${file}: ${(font.length / 1000).toFixed(1)} KB, now ${(result.length / 1000).toFixed(1)} KB\n`);
};

/** On every page: ASCII, Latin-1, and the punctuation and signs of texts. */
await cut(
  import.meta.resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"),
  `${range(0x20, 0x7e)}${range(0xa0, 0xff)}–—‘’‚“”„•…′‹›€™↑↓−`,
  "inter-latin.woff2",
);
/** Loaded when a name needs it: Gdańsk, Łódź, İzmir. */
await cut(
  import.meta.resolve("@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2"),
  range(0x100, 0x17f),
  "inter-latin-ext.woff2",
);

/** Letters, marks and signs of Latin, Greek and Cyrillic writing, of which Inter has nearly all. */
const onPaper: [from: number, to: number][] = [
  [0x20, 0x7e],
  [0xa0, 0x24f],
  [0x300, 0x36f],
  [0x370, 0x3ff],
  [0x400, 0x52f],
  [0x1e00, 0x1fff],
  [0x2010, 0x205e],
  [0x20a0, 0x20cf],
  [0x2116, 0x2122],
  [0x2190, 0x2193],
  [0x2212, 0x2212],
  // Replaces characters that the font lacks.
  [0x25a1, 0x25a1],
];
const paperText = onPaper.map(([from, to]) => range(from, to)).join("");
await cut(import.meta.resolve("inter-ui/web/Inter-Regular.woff2"), paperText, "inter-paper.ttf", forPaper);
await cut(import.meta.resolve("inter-ui/web/Inter-SemiBold.woff2"), paperText, "inter-paper-bold.ttf", forPaper);
