/** The terms and the privacy policy, read once at startup: the operator's files, or the templates of the service. */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";
import { InvalidConfig } from "./env.server.ts";

export type LegalText = {
  /** The day from which this text applies. */
  version: string;
  /** Markdown. */
  text: string;
};
export type LegalTexts = Readonly<Record<"terms" | "privacy", LegalText>>;

/**
 * @param folder with `terms.md` and `privacy.md`; null for the templates
 * @throws InvalidConfig if a file is missing or does not begin with its version
 */
export const readLegalTexts = async (folder: string | null): Promise<LegalTexts> => ({
  terms: await readText(folder, "terms"),
  privacy: await readText(folder, "privacy"),
});

const templates = {
  terms: () => import("./legal/terms.md?raw"),
  privacy: () => import("./legal/privacy.md?raw"),
} as const satisfies Record<keyof LegalTexts, unknown>;

const readText = async (folder: string | null, name: keyof LegalTexts): Promise<LegalText> => {
  if (folder === null) return parseText((await templates[name]()).default, `${name}.md`);
  const file = path.resolve(folder, `${name}.md`);
  const content = await readFile(file, "utf8").catch(() => {
    throw new InvalidConfig([`LEGAL_DIR must be a folder with terms.md and privacy.md; ${file} cannot be read`]);
  });
  return parseText(content, file);
};

const header = /^\uFEFF?---\r?\nversion: *(\S+) *\r?\n---\r?\n/;

const parseText = (content: string, file: string): LegalText => {
  const [found, version] = header.exec(content) ?? [];
  if (found === undefined || !z.iso.date().safeParse(version).success) {
    throw new InvalidConfig([`LEGAL_DIR: ${file} must begin with the lines "---", "version: 2026-11-22" and "---"`]);
  }
  return { version: version ?? "", text: content.slice(found.length).trim() };
};
