/** Extracts the text of a PDF line by line. Glyphs are mapped to letters by the embedded fonts. */
import { inflateSync } from "node:zlib";

export const pdfText = (pdf: Uint8Array): string => {
  const raw = Buffer.from(pdf).toString("latin1");
  const objects = new Map(
    [...raw.matchAll(/^(\d+) 0 obj\n([\s\S]*?)\nendobj/gm)].map(([, id = "", body = ""]) => [id, body]),
  );
  const letters = new Map(
    [...raw.matchAll(/\/(F\d+) (\d+) 0 R/g)].map(([, name = "", id = ""]) => [name, lettersOf(objects, id)]),
  );
  return [...objects.values()].flatMap((body) => linesOf(unpacked(body), letters)).join("\n");
};

/** The letters of a font, in the order of its glyphs. */
const lettersOf = (objects: ReadonlyMap<string, string>, font: string): string[] => {
  const table = /\/ToUnicode (\d+) 0 R/.exec(objects.get(font) ?? "")?.[1];
  const ranges = unpacked(objects.get(table ?? "") ?? "").matchAll(/<[0-9a-f]+> <[0-9a-f]+> \[([^\]]*)\]/g);
  return [...ranges].flatMap(([, list = ""]) =>
    [...list.matchAll(/<([0-9a-f ]*)>/g)].map(([, hex = ""]) => utf16(hex.replaceAll(" ", ""))),
  );
};

const linesOf = (page: string, letters: ReadonlyMap<string, string[]>): string[] => {
  let font: string[] = [];
  return [...page.matchAll(/\/(F\d+) [\d.]+ Tf|\[([^\]]*)\] TJ/g)].flatMap(([, name, parts]) => {
    if (name !== undefined) font = letters.get(name) ?? [];
    if (parts === undefined) return [];
    const glyphs = [...parts.matchAll(/<([0-9a-f]*)>/g)].flatMap(([, hex = ""]) => hex.match(/.{4}/g) ?? []);
    return [glyphs.map((glyph) => font[Number.parseInt(glyph, 16)] ?? "").join("")];
  });
};

const unpacked = (body: string): string => {
  const packed = /stream\n([\s\S]*?)\nendstream/.exec(body)?.[1];
  if (packed === undefined) return "";
  try {
    return inflateSync(Buffer.from(packed, "latin1")).toString("latin1");
  } catch {
    return "";
  }
};

const utf16 = (hex: string): string => Buffer.from(hex, "hex").swap16().toString("utf16le");
