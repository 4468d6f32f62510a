/**
 * Fonts for the scripts that Inter lacks: Noto Sans for Chinese and Japanese, Korean, Arabic and Hebrew, made by
 * scripts/build-paper-fonts.ts. Each is loaded with the first name that needs it.
 */
import { brotliDecompressSync } from "node:zlib";

const scripts = {
  cjk: {
    letters: /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u,
    file: () => import("./fonts/noto-cjk.ttf.br?url&inline"),
  },
  korean: { letters: /\p{Script=Hangul}/u, file: () => import("./fonts/noto-korean.ttf.br?url&inline") },
  arabic: { letters: /\p{Script=Arabic}/u, file: () => import("./fonts/noto-arabic.ttf.br?url&inline") },
  hebrew: { letters: /\p{Script=Hebrew}/u, file: () => import("./fonts/noto-hebrew.ttf.br?url&inline") },
};

type Script = keyof typeof scripts;
const names = Object.keys(scripts) as Script[];

/** The fonts for the scripts in a text, by name. */
export const fallbackFonts = async (text: string): Promise<Map<string, Buffer>> =>
  new Map(
    await Promise.all(
      names.filter((name) => scripts[name].letters.test(text)).map(async (name) => [name, await load(name)] as const),
    ),
  );

const loaded = new Map<Script, Promise<Buffer>>();

const load = (name: Script): Promise<Buffer> => {
  const font = loaded.get(name) ?? scripts[name].file().then(unpacked);
  loaded.set(name, font);
  return font;
};

const unpacked = ({ default: url }: { default: string }): Buffer =>
  brotliDecompressSync(Buffer.from(url.slice(url.indexOf(",") + 1), "base64"));
