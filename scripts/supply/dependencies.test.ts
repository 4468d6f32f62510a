/** docs/dependencies.md says of every package why it is here, and which files alone import it. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";

const manifest = JSON.parse(readFileSync("package.json", "utf8"));
const rows = readFileSync("docs/dependencies.md", "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, name, why, by, only] = /^\| `([^`]+)` \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/.exec(line) ?? [];
    return name && why && by && only
      ? [{ name, only, files: [...only.matchAll(/`([^`]+)`/g)].map(([, f]) => f ?? "") }]
      : [];
  });

const folders = ["app", "clients", "drizzle", "inngest", "scripts", "server"];
const isProduct = (file: string) =>
  /\.(?:tsx?|mjs|js)$/.test(file) &&
  !/\.test\.tsx?$|\.d\.ts$|^app\/testing\/|^scripts\/mutation\/|node_modules/.test(file);
const sources = [
  ...folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => path.posix.join(folder, file)),
  ),
  ...readdirSync(".").filter((file) => /\.config\.[jt]s$/.test(file)),
].filter(isProduct);

/** Static and late imports, and files of packages. Not those in samples of code, which are template strings. */
const imports =
  /(?:^(?:import|export|\}) (?:[^`\n]* )?from |^import |\bimport\(|\bimport\.meta\.resolve\()"([^".#][^"]*)"/gm;

/** By package: the files that import it. */
const importers = new Map<string, Set<string>>();
for (const file of sources) {
  const text = readFileSync(file, "utf8");
  for (const [, from] of text.matchAll(imports)) {
    const name = (from ?? "")
      .split("/")
      .slice(0, from?.startsWith("@") ? 2 : 1)
      .join("/");
    importers.set(name, (importers.get(name) ?? new Set()).add(file));
  }
}

describe("docs/dependencies.md", () => {
  it("has one line for each direct dependency, and none for anything else", () => {
    const direct = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(rows.map(({ name }) => name).sort()).toEqual(direct.sort());
  });

  it.each(rows.filter(({ files }) => files.length > 0))("names the only files that import $name", ({ name, files }) => {
    const found = [...(importers.get(name) ?? [])];
    const isNamed = (file: string, named: string) => file === named || (named.endsWith("/") && file.startsWith(named));
    expect(found.filter((file) => !files.some((named) => isNamed(file, named)))).toEqual([]);
    expect(files.filter((named) => !found.some((file) => isNamed(file, named)))).toEqual([]);
  });

  it.each(rows.filter(({ only }) => only === "none"))("says rightly that no file imports $name", ({ name }) => {
    expect([...(importers.get(name) ?? [])]).toEqual([]);
  });

  it("says for every package which files import it", () => {
    const unclear = rows.filter(({ only, files }) => files.length === 0 && only !== "none" && only !== "many");
    expect(unclear).toEqual([]);
  });
});
