/**
 * Statements of the hot path. Drizzle builds the text of a query at every call and maps each row column by column; these
 * are written once, prepared once for each connection, and return rows as the driver reads them.
 */
import { type SQL, sql } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";
import { clientOf, type Tx } from "./db.server.ts";

const dialect = new PgDialect({ casing: "snake_case" });

/** The parameters of a statement by their names. */
export type Placeholders<Values> = { [Name in keyof Values]: SQL };

/**
 * A statement whose text does not depend on its values; lists are passed as arrays, for `unnest`. In a transaction it runs
 * unprepared, as all statements of transactions do.
 *
 * In long work, PostgreSQL plans a prepared statement again at each execution as long as it can estimate a cheaper plan from
 * the values, and planning costs more than these statements take. `unnest((select $1))` hides the length of a list from it.
 *
 * @param write the statement, given its parameters by name
 * @returns runs it. Timestamps in its rows are text, as PostgreSQL writes it
 */
export const statement = <Row extends object, Values extends object>(
  write: (parameters: Placeholders<Values>) => SQL,
): ((db: Tx, values: Values) => Promise<Row[]>) => {
  const withPlaceholders = new Proxy({}, { get: (_, name) => sql`${sql.placeholder(String(name))}` });
  const compiled = dialect.sqlToQuery(write(withPlaceholders as Placeholders<Values>));
  const names = compiled.params.map((placeholder) => (placeholder as { name: keyof Values }).name);
  return async (db, values) => {
    const client = clientOf(db);
    if (client) {
      const parameters = names.map((name) => asParameter(values[name]));
      return (await client.unsafe(compiled.sql, parameters)) as Row[];
    }
    const withValues = new Proxy(
      {},
      { get: (_, name) => sql`${sql.param(asParameter(values[name as keyof Values]))}` },
    );
    return (await db.execute(write(withValues as Placeholders<Values>))) as unknown as Row[];
  };
};

/** Lists as PostgreSQL reads them. The driver would look for characters to escape twice in each item, numbers included. */
const asParameter = (value: unknown): unknown => (Array.isArray(value) ? `{${value.map(itemOf).join(",")}}` : value);

const itemOf = (item: string | number | null): string | number => {
  if (typeof item === "number") return item;
  if (item === null) return "null";
  return /["\\]/.test(item) ? `"${item.replace(/["\\]/g, "\\$&")}"` : `"${item}"`;
};
