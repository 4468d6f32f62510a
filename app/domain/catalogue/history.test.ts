/** The tables of former values fit the tables that they belong to. A migration that changes one calls `history.follow`. */
import { is, sql } from "drizzle-orm";
import { getTableConfig, PgTable } from "drizzle-orm/pg-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as catalogue from "#drizzle/schema/catalogue.ts";
import * as schedules from "#drizzle/schema/schedules.ts";
import { createWorld, type World } from "../../testing/world.ts";

/** What route data does not read, or what is a history already. */
const notKept = ["exchange_rates", "period_prices", "route_search_changes"];

const kept = Object.values({ ...catalogue, ...schedules })
  .filter((table) => is(table, PgTable))
  .map((table) => getTableConfig(table).name)
  .filter((name) => !notKept.includes(name))
  .sort();

let world: World;
beforeAll(async () => {
  world = await createWorld({ catalogue: "empty" });
});
afterAll(() => world.close());

/** Columns with their types, in order of name. */
const columnsOf = async (relation: string): Promise<string[]> => {
  const columns = await world.ctx.db.execute<{ column: string }>(sql`
    select attname || ' ' || format_type(atttypid, atttypmod) as column from pg_attribute
    where attrelid = ${relation}::regclass and attnum > 0 and not attisdropped order by 1`);
  return columns.map(({ column }) => column);
};

describe("The history", () => {
  it("has a table and a view for every table of the catalogue and of the schedules", async () => {
    const relations = async (schema: string, kind: string) => {
      const found = await world.ctx.db.execute<{ name: string }>(sql`
        select relname as name from pg_class
        where relnamespace = ${schema}::regnamespace and relkind = ${kind}::"char" order by relname`);
      return found.map(({ name }) => name);
    };
    expect(await relations("history", "r")).toEqual(kept);
    expect(await relations("as_of", "v")).toEqual(kept);
  });

  it.each(kept)("has the columns of %s", async (table) => {
    const columns = await columnsOf(`public.${table}`);
    expect(await columnsOf(`history.${table}`)).toEqual(
      [...columns, "known_until timestamp(3) with time zone"].sort((a, b) => (a < b ? -1 : 1)),
    );
    expect(await columnsOf(`as_of.${table}`)).toEqual(columns);
  });

  it.each(kept)("compares every column of %s", async (table) => {
    const [trigger] = await world.ctx.db.execute<{ text: string }>(sql`
      select pg_get_triggerdef(oid) as text from pg_trigger where tgname = ${`${table}_set_known_from`}`);
    const compared = new Set([...(trigger?.text ?? "").matchAll(/new\.(\w+)/gi)].map(([, column]) => column));
    const ignored = ["known_from", ...(table === "periods" ? ["lateness_announced_at"] : [])];
    const names = (await columnsOf(`public.${table}`)).map((column) => column.split(" ")[0] ?? "");
    expect([...compared].sort()).toEqual(names.filter((name) => !ignored.includes(name)).sort());
  });
});
