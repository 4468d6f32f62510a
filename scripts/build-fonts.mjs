/**
 * Cuts Inter down to what the pages show: the weights they use, the letters of Western and Central European names, and
 * the layout features that app/styles.css asks for. Run it after changing one of these; the results are committed. The
 * ranges of characters stand in app/styles.css too.
 */
import { readFileSync, writeFileSync } from "node:fs";
import subsetFont from "subset-font";

const weights = { min: 400, max: 700, default: 400 };
const keepFeatures = ["kern", "mark", "mkmk", "ccmp", "locl", "calt", "tnum", "cv11", "ss03"];

const range = (from, to) => String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, i) => from + i));

const cut = async (source, text, file) => {
  const font = readFileSync(new URL(source));
  const result = await subsetFont(font, text, {
    targetFormat: "woff2",
    keepFeatures,
    variationAxes: { wght: weights },
  });
  writeFileSync(new URL(`../app/portal/fonts/${file}`, import.meta.url), result);
  process.stdout.write(`${file}: ${(font.length / 1000).toFixed(1)} KB, now ${(result.length / 1000).toFixed(1)} KB\n`);
};

/** On every page: ASCII, Latin-1, and the punctuation and signs of texts. */
await cut(
  import.meta.resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"),
  `${range(0x20, 0x7e)}${range(0xa0, 0xff)}–—‘’‚“”„•…‹›€™↑↓−`,
  "inter-latin.woff2",
);
/** Fetched where a name needs it: Gdańsk, Łódź, İzmir. */
await cut(
  import.meta.resolve("@fontsource-variable/inter/files/inter-latin-ext-wght-normal.woff2"),
  range(0x100, 0x17f),
  "inter-latin-ext.woff2",
);
