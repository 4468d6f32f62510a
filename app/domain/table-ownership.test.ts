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

/** The folder of the domain; a file directly in it stands for itself. */
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

const writersByTable = () => {
  const writers = new Map([...tables.values()].map((table) => [table, new Set<string>()]));
  for (const file of sources) {
    const code = readFileSync(path.join(root, file), "utf8");
    for (const table of tablesWrittenIn(code)) writers.get(table)?.add(moduleOf(file));
  }
  return writers;
};

describe("A table", () => {
  it("is written by exactly one module", () => {
    const writers = [...writersByTable()].map(([table, modules]) => ({ table, modules: [...modules].sort() }));
    expect(writers.length).toBeGreaterThan(30);
    expect(writers.filter(({ modules }) => modules.length !== 1)).toEqual([]);
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
