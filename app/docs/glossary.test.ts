import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { codeMeanings } from "../portal/components/code-meanings.ts";
import { terms } from "../portal/components/terms.ts";
import { glossary } from "./glossary.ts";

const app = fileURLToPath(new URL("..", import.meta.url));
const termsOfPages = new Set(
  readdirSync(app, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".tsx"))
    .flatMap((file) => [...readFileSync(`${app}/${file}`, "utf8").matchAll(/<Term\s+name="([^"]+)"/g)])
    .map(([, name = ""]) => name),
);
const explained = glossary.flatMap(({ entries }) => entries.map(({ term }) => term));

describe("The glossary", () => {
  it("has every term that a page explains, and the pages explain no others", () => {
    expect([...termsOfPages].filter((term) => !explained.includes(term))).toEqual([]);
    expect([...termsOfPages].sort()).toEqual(Object.keys(terms).sort());
  });

  it("has every code of the data that is explained", () => {
    expect(explained).toEqual(expect.arrayContaining(Object.keys(codeMeanings)));
  });
});
