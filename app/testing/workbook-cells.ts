/** Reads back what a workbook contains. */
import { inflateRawSync } from "node:zlib";

/** The first sheet's cells as text, row by row. Dates are days since 1899-12-30, as Excel counts them. */
export const workbookCells = (bytes: Uint8Array): string[][] => {
  const files = unzipped(Buffer.from(bytes));
  const shared = textsIn(files.get("xl/sharedStrings.xml") ?? "", "si");
  const sheet = files.get("xl/worksheets/sheet1.xml") ?? "";
  return elements(sheet, "row").map(({ content: row }) => {
    const texts: string[] = [];
    for (const { attributes, content: cell } of elements(row, "c")) {
      const [value = ""] = textsIn(cell, "v");
      const isShared = /\bt="s"/.test(attributes);
      texts[columnOf(attributes)] = isShared ? (shared[Number(value)] ?? "") : value;
    }
    // Empty cells are left out of the file.
    return Array.from(texts, (text) => text ?? "");
  });
};

/** `r="AB3"` is column 27, counted from 0. */
const columnOf = (attributes: string): number => {
  const [, letters = ""] = /\br="([A-Z]+)\d+"/.exec(attributes) ?? [];
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
};

const elements = (xml: string, name: string) =>
  [...xml.matchAll(new RegExp(`<${name}(\\s[^>]*?)?(?:/>|>(.*?)</${name}>)`, "gs"))].map(
    ([, attributes = "", content = ""]) => ({ attributes, content }),
  );

const textsIn = (xml: string, name: string): string[] =>
  elements(xml, name).map(({ content }) =>
    content
      .replace(/<[^>]*>/g, "")
      .replace(/&(lt|gt|quot|apos|amp|#\d+);/g, (_, entity: string) =>
        entity.startsWith("#") ? String.fromCodePoint(Number(entity.slice(1))) : (entitiesByName[entity] ?? ""),
      ),
  );

const entitiesByName: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

/** By name, from the central directory. */
const unzipped = (zip: Buffer): Map<string, string> => {
  const end = zip.lastIndexOf("PK\x05\x06", undefined, "latin1");
  const files = new Map<string, string>();
  let at = zip.readUInt32LE(end + 16);
  for (let count = zip.readUInt16LE(end + 10); count > 0; count -= 1) {
    const [method, size] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset));
    const local = zip.readUInt32LE(at + 42);
    const name = zip.toString("utf8", at + 46, at + 46 + (nameLength ?? 0));
    const begin = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const content = zip.subarray(begin, begin + size);
    files.set(name, (method === 0 ? content : inflateRawSync(content)).toString("utf8"));
    at += 46 + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0);
  }
  return files;
};
