/**
 * Subsets Noto Sans for names in PDF documents that Inter cannot write: Chinese and Japanese, Korean, Arabic, Hebrew. The
 * results are committed. The packages are not dependencies, because they take 150 MB: unpack the four into one folder, and
 * pass that.
 *
 *     npm pack @expo-google-fonts/noto-sans-{sc,kr,arabic,hebrew}
 *     node --import tsx scripts/build-paper-fonts.ts FOLDER
 */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import subsetFont from "subset-font";

const range = (from: number, to: number): string =>
  String.fromCodePoint(...Array.from({ length: to - from + 1 }, (_, i) => from + i));

/** Names in these scripts are mixed with Latin letters, digits and punctuation. */
const latin = range(0x20, 0x7e) + range(0xa0, 0x17f) + range(0x2010, 0x205e);

const fonts = [
  {
    source: "NotoSansSC_400Regular.ttf",
    file: "noto-cjk",
    text: range(0x3000, 0x30ff) + range(0x4e00, 0x9fff) + range(0xff00, 0xffef),
    keepFeatures: [],
  },
  {
    source: "NotoSansKR_400Regular.ttf",
    file: "noto-korean",
    text: range(0x1100, 0x11ff) + range(0x3130, 0x318f) + range(0xac00, 0xd7a3),
    keepFeatures: [],
  },
  {
    source: "NotoSansArabic_400Regular.ttf",
    file: "noto-arabic",
    text: range(0x600, 0x6ff) + range(0x750, 0x77f) + range(0x8a0, 0x8ff),
    // Without these the letters are not joined.
    keepFeatures: ["init", "medi", "fina", "isol", "rlig", "liga", "calt", "ccmp", "mark", "mkmk"],
  },
  {
    source: "NotoSansHebrew_400Regular.ttf",
    file: "noto-hebrew",
    text: range(0x590, 0x5ff) + range(0xfb1d, 0xfb4f),
    keepFeatures: ["ccmp", "mark", "mkmk"],
  },
];

const [folder = "."] = process.argv.slice(2);
for (const { source, file, text, keepFeatures } of fonts) {
  const font = readFileSync(path.join(folder, source));
  const cut = await subsetFont(font, latin + text, { targetFormat: "sfnt", keepFeatures });
  // As a TrueType file it is read quickly; compressed it is half as large in the repository and in the build.
  const packed = brotliCompressSync(cut, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: cut.length } });
  writeFileSync(new URL(`../app/portal/fonts/${file}.ttf.br`, import.meta.url), packed);
  process.stdout.write(
    `${file}: ${(cut.length / 1000).toFixed(0)} KB, packed ${(packed.length / 1000).toFixed(0)} KB\n`,
  );
}
