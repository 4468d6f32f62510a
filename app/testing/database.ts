/**
 * A database of its own for every test file that wants one: a clone of a migrated template, which takes some ten
 * milliseconds. `global-setup.ts` says which server.
 */
import postgres from "postgres";
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    testDatabase: { adminUrl: string; template: string };
  }
}

export type ClonedDatabase = { url: string; drop(): Promise<void> };

export const cloneDatabase = (): Promise<ClonedDatabase> => {
  const { adminUrl, template } = inject("testDatabase");
  return cloneOf(adminUrl, template);
};

let clones = 0;

/** For what runs outside of vitest. */
export const cloneOf = async (adminUrl: string, template: string): Promise<ClonedDatabase> => {
  clones += 1;
  // The process id lets a later run tell which clones were left behind.
  const name = `test_${process.pid}_${clones}_${Math.random().toString(36).slice(2, 8)}`;
  await asAdmin(adminUrl, (sql) => createFrom(sql, name, template));
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    drop: () =>
      asAdmin(adminUrl, async (sql) => {
        await sql`drop database if exists ${sql(name)} with (force)`;
      }),
  };
};

const createFrom = async (sql: postgres.Sql, name: string, template: string): Promise<void> => {
  for (let attempt = 1; ; attempt++) {
    try {
      await sql`create database ${sql(name)} template ${sql(template)} strategy file_copy`;
      return;
    } catch (error) {
      if (!isBeingAccessed(error) || attempt === 50) throw error;
      await new Promise((resolve) => setTimeout(resolve, 20 * attempt));
    }
  }
};

/** Another session uses the template, if only to clone it. */
const isBeingAccessed = (error: unknown) => error instanceof postgres.PostgresError && error.code === "55006";

export const asAdmin = async <Result>(
  adminUrl: string,
  work: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> => {
  const sql = postgres(adminUrl, { max: 1, onnotice: () => {} });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
};
