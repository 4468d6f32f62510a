/** What the pages of a PDF show, a line each, as far as the standard fonts' encoding says. */
import { inflateSync } from "node:zlib";

export const pdfText = (pdf: Uint8Array): string => {
  const raw = Buffer.from(pdf).toString("latin1");
  const streams = [...raw.matchAll(/stream\n([\s\S]*?)\nendstream/g)].flatMap(([, body = ""]) => {
    try {
      return [inflateSync(Buffer.from(body, "latin1")).toString("latin1")];
    } catch {
      return [];
    }
  });
  const hex = streams.flatMap((stream) =>
    [...stream.matchAll(/\[([^\]]*)\] TJ/g)].map(([, parts = ""]) =>
      [...parts.matchAll(/<([0-9a-f]*)>/g)].map(([, digits = ""]) => digits).join(""),
    ),
  );
  return hex
    .map((digits) => Buffer.from(digits, "hex").toString("latin1"))
    .join("\n")
    .replaceAll("\x96", "–")
    .replaceAll("\x95", "•");
};
