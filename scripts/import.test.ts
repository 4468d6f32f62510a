import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cloneDatabase } from "../app/testing/database.ts";
import { migrate } from "../drizzle/migrate.ts";
import { ensureServiceDatabase } from "./embedded-postgres/service-role.ts";
import { startPostgres } from "./embedded-postgres/start.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(path.join(os.tmpdir(), "import-"));

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let sql: postgres.Sql;
beforeAll(async () => {
  database = await cloneDatabase();
  sql = postgres(database.url, { max: 1, onnotice: () => {} });
});
afterAll(async () => {
  await sql.end();
  await database.drop();
  rmSync(folder, { recursive: true });
});

type Outcome = { code: number; output: string; errors: string };

const runOn =
  (settings: Record<string, string>) =>
  (...args: string[]) =>
    new Promise<Outcome>((resolve) => {
      const env = { ...process.env, ...settings };
      const command = [path.join(root, "scripts/import.ts"), ...args];
      const child = execFile(path.join(root, "node_modules/.bin/tsx"), command, { cwd: root, env }, (error, ...texts) =>
        resolve({ code: typeof error?.code === "number" ? error.code : 0, output: texts[0], errors: texts[1] }),
      );
      child.stdin?.end();
    });
const run = (...args: string[]) => runOn({ DATABASE_URL: database.url })(...args);

const written = (name: string, text: string): string => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};
const carriers = () => written("carriers.csv", "code,name,cargo_types\nABCD,Example Line,container\n");

const carrierCodes = async () => (await sql<{ code: string }[]>`select code from carriers`).map(({ code }) => code);
const statuses = async () =>
  (await sql<{ status: string }[]>`select status from catalogue_imports order by id`).map(({ status }) => status);

describe("npm run import", () => {
  it("with --check shows what would change and writes nothing", async () => {
    const { code, output } = await run("carriers", carriers(), "--check");
    expect(code).toBe(0);
    expect(output).toContain("1 row: 1 new, 0 changed, 0 unchanged.\n");
    expect(output).toMatch(/^ {2}ABCD: .*name – → Example Line/m);
    expect(await carrierCodes()).toEqual([]);
    expect(await statuses()).toEqual(["discarded"]);
  }, 60_000);

  it("does not apply a file without --yes if there is no terminal to confirm on", async () => {
    const { code, output, errors } = await run("carriers", carriers());
    expect(code).toBe(1);
    expect(output).toContain("Nothing was applied.\n");
    expect(errors).toContain("confirm with --yes");
    expect(await carrierCodes()).toEqual([]);
  }, 60_000);

  it("with --yes applies a file, and records the user of the machine", async () => {
    const { code, output } = await run("carriers", carriers(), "--yes");
    expect(code).toBe(0);
    expect(output).toContain("Applied: 1 new, 0 changed, 0 unchanged. Routes with new data: 0.\n");
    expect(await carrierCodes()).toEqual(["ABCD"]);
    const entries = await sql<{ details: object }[]>`
      select details from audit_log where action = 'catalogue_import.applied'`;
    expect(entries).toMatchObject([{ details: { kind: "carriers", machine_user: os.userInfo().username } }]);
  }, 60_000);

  it("exits with 1 and names file, row, column, code and value of each error in a file", async () => {
    const file = written("wrong.csv", "code,name,cargo_types\nEFGH,=Line,container\nIJKL,Line,gold\n");
    const { code, output } = await run("carriers", file, "--yes");
    expect(code).toBe(1);
    expect(output).toMatch(/^error {2}wrong\.csv, row 2, name {2}formula {2}.*\("=Line"\)$/m);
    expect(output).toMatch(/^error {2}wrong\.csv, row 3, cargo_types {2}not_allowed {2}.*\("gold"\)$/m);
    expect(output).toContain("Correct the file: nothing can be applied.\n");
    expect(await carrierCodes()).toEqual(["ABCD"]);
  }, 60_000);

  it.each([
    ["is of another kind", "code,name,trade_lane_code,cargo_type\nX,X,X,bulk\n", /carriers|columns/],
    ["is empty", "", /empty/],
    ["is not UTF-8", Buffer.from([0x63, 0xff, 0xfe]).toString("latin1"), /./],
  ])(
    "exits with 1 and one sentence for a file that %s",
    async (_, text, message) => {
      const { code, errors } = await run("carriers", written("other.csv", text), "--yes");
      expect(code).toBe(1);
      expect(errors).toMatch(message);
      expect(errors).not.toContain("    at ");
    },
    60_000,
  );

  it("exits with 2 and one sentence for a file that is not there", async () => {
    const { code, errors } = await run("carriers", path.join(folder, "none.csv"));
    expect(code).toBe(2);
    expect(errors).toMatch(/^There is no file .*none\.csv\n$/);
  }, 60_000);

  it.each([[["gold", "file.csv"]], [["carriers"]], [["carriers", "a.csv", "b.csv"]], [["carriers", "a.csv", "--no"]]])(
    "exits with 2 and the usage for the command line %j",
    async (args) => {
      const { code, errors } = await run(...args);
      expect(code).toBe(2);
      expect(errors).toContain("npm run import -- KIND FILE");
    },
    60_000,
  );

  it("shows its usage when asked, and exits with 0", async () => {
    const { code, output } = await run("--help");
    expect(code).toBe(0);
    expect(output).toContain("KIND is one of ports, carriers, trade_lanes,");
  }, 60_000);
});

describe("npm run import without DATABASE_URL", () => {
  const dataDir = path.join(folder, "data");
  const runEmbedded = runOn({ DATABASE_URL: "", DATA_DIR: dataDir });

  it("says what to do if the service has never been started, and afterwards imports into its database", async () => {
    const early = await runEmbedded("carriers", carriers(), "--yes");
    expect(early.code).toBe(2);
    expect(early.errors).toContain("Set DATA_DIR or DATABASE_URL as for the service, or start the service once.");
    const embedded = await startPostgres({ dataDir: path.join(dataDir, "postgres") });
    await migrate(await ensureServiceDatabase(embedded));
    await embedded.stop();
    const { code, output } = await runEmbedded("carriers", carriers(), "--yes");
    expect(code).toBe(0);
    expect(output).toContain("Applied: 1 new, 0 changed, 0 unchanged.");
  }, 180_000);
});
