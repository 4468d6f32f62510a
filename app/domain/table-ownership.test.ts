import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { is } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { describe, expect, it } from "vitest";
import * as schema from "#drizzle/schema/index.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** SQL names by the names that queries use: `apiKeys` and `api_keys` are the same table. */
const tables = new Map(
  Object.entries(schema).flatMap(([exportName, table]) => {
    if (!is(table, PgTable)) return [];
    const { name } = getTableConfig(table);
    return [
      [exportName, name],
      [name, name],
    ];
  }),
);

/** Calls of drizzle, and statements in sql templates that name the table or interpolate it. */
const writes =
  /(?:\.(?:insert|update|delete)\(|\b(?:insert\s+into|update|delete\s+from|merge\s+into|truncate)\s+)(?:\$\{)?(\w+)/gi;

const tablesWrittenIn = (code: string): string[] => [
  ...new Set([...code.matchAll(writes)].flatMap(([, name = ""]) => tables.get(name) ?? [])),
];

/** The folder of the domain; a file directly in it is its own module. */
const moduleOf = (file: string): string => {
  const [, module = file] = /^app\/domain\/([^/]+?)(?:\/|(?:-queries)?(?:\.server)?\.ts$)/.exec(file) ?? [];
  return module;
};

const isTest = (file: string) => /\.test\.tsx?$/.test(file) || file.startsWith("app/testing/");

const sources = ["app", "inngest", "drizzle/seed"].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .map((file) => `${folder}/${file}`)
    .filter((file) => /\.tsx?$/.test(file) && !isTest(file)),
);

/** The functions of the database that write tables, for triggers, and the modules that they belong to. */
const functionModules: Record<string, string> = {
  lock_catalogue_for_operator: "catalogue",
  record_search_changes: "catalogue",
  record_route_changes: "changes",
};

/** The functions that the migrations create, by name. */
const databaseFunctions = () => {
  const folder = path.join(root, "drizzle/migrations");
  const files = readdirSync(folder).filter((file) => file.endsWith(".sql"));
  return files
    .map((file) => readFileSync(path.join(folder, file), "utf8"))
    .flatMap((code) => [...code.matchAll(/create function (\w+).+?\$\$(.+?)\$\$/gis)])
    .map(([, name = "", body = ""]) => ({ name, written: tablesWrittenIn(body) }));
};

const writersByTable = () => {
  const writers = new Map([...tables.values()].map((table) => [table, new Set<string>()]));
  for (const file of sources) {
    const code = readFileSync(path.join(root, file), "utf8");
    for (const table of tablesWrittenIn(code)) writers.get(table)?.add(moduleOf(file));
  }
  for (const { name, written } of databaseFunctions()) {
    for (const table of written) writers.get(table)?.add(functionModules[name] ?? name);
  }
  return writers;
};

describe("A table", () => {
  it("is written by exactly one module", () => {
    const writers = [...writersByTable()].map(([table, modules]) => ({ table, modules: [...modules].sort() }));
    expect(writers.length).toBeGreaterThan(30);
    expect(writers.filter(({ modules }) => modules.length !== 1)).toEqual([]);
  });

  it("may be written by functions of the database, which are listed with their modules", () => {
    const writing = databaseFunctions().filter(({ written }) => written.length > 0);
    expect(writing.map(({ name }) => name).sort()).toEqual(Object.keys(functionModules).sort());
  });

  it.each([
    ["tx.update(accounts).set({})", ["accounts"]],
    ["db\n    .insert(apiKeys)\n    .values(row)", ["api_keys"]],
    ["sql`insert into usage_logs (id) values (1)`", ["usage_logs"]],
    [`sql\`update \${routes} set version = 1\``, ["routes"]],
    ["sql`delete from reports where true`", ["reports"]],
    ["sql`select from routes for update`", []],
    ["on conflict (code) do update set name = excluded.name", []],
    ["underWay.delete(accounting)", []],
  ])("is found to be written by %j", (code, written) => {
    expect(tablesWrittenIn(code)).toEqual(written);
  });
});
