import { execFile } from "node:child_process";
import fs, { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { changeRecord } from "#app/domain/stock/change-records.server.ts";
import { createLogPartitions } from "#app/domain/usage/log-partitions.server.ts";
import { subscribe } from "#app/testing/purchases.ts";
import { createWorld, type World } from "#app/testing/world.ts";
import { backUp } from "./backup/back-up.ts";
import { keyId } from "./backup/secrets-key.ts";
import { inTransaction } from "./backup/session.ts";
import { partitionsOf, sequencesOf } from "./backup/tables.ts";
import { rowDigests } from "./backup/verify.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = mkdtempSync(path.join(os.tmpdir(), "backup-"));
const at = (name: string) => path.join(folder, name);
const secretsKey = Buffer.alloc(32, "tests");

let world: World;
let sourceUrl: string;
let admin: postgres.Sql;
/** Databases of a role that is no superuser, as managed servers give it. */
const owner = `backup_${process.pid}`;
const made: string[] = [];

beforeAll(async () => {
  world = await createWorld({ now: "2026-11-20T09:30:00Z" });
  admin = postgres(inject("testDatabase").adminUrl, { max: 1, onnotice: () => {} });
  const rows = await world.ctx.db.execute<{ name: string }>("select current_database() as name");
  sourceUrl = urlOf(rows[0]?.name ?? "");
  await admin.unsafe(`create role ${owner} login password 'owner'`);
  await createLogPartitions(world.ctx);
  const { caller } = await world.account();
  await subscribe(world, caller);
  const [route] = world.routes;
  await changeRecord(
    world.ctx,
    { machineUser: "tests" },
    {
      kind: "route",
      code: route?.code ?? "",
      values: { standard_days: "33" },
    },
  );
}, 180_000);

afterAll(async () => {
  await world.close();
  for (const name of made) await admin.unsafe(`drop database if exists ${name} with (force)`);
  await admin.unsafe(`drop role ${owner}`);
  await admin.end();
  rmSync(folder, { recursive: true });
});

const urlOf = (database: string, user?: string): string => {
  const url = new URL(inject("testDatabase").adminUrl);
  url.pathname = `/${database}`;
  if (user) [url.username, url.password] = [user, "owner"];
  return url.href;
};

const emptyDatabase = async (): Promise<string> => {
  const name = `${owner}_${made.length}`;
  made.push(name);
  await admin.unsafe(`create database ${name} owner ${owner} template template0`);
  return urlOf(name, owner);
};

type Outcome = { code: number; output: string; errors: string };

const run = (command: "backup" | "restore", settings: Record<string, string>, ...args: string[]) =>
  new Promise<Outcome>((resolve) => {
    const env = { ...process.env, DATA_DIR: at("data"), SECRETS_KEY: secretsKey.toString("base64"), ...settings };
    const line = [path.join(root, `scripts/${command}.ts`), ...args];
    execFile(path.join(root, "node_modules/.bin/tsx"), line, { cwd: root, env }, (error, output, errors) =>
      resolve({ code: typeof error?.code === "number" ? error.code : 0, output, errors }),
    );
  });

const backUpTo = (file: string, url = sourceUrl) =>
  backUp(url, file, { release: "1.2.3", now: world.clock.now(), secretsKeyId: keyId(secretsKey) });

/** Everything that the service relies on, beside the rows. */
const structureOf = (url: string) =>
  inTransaction(url, "", async (sql) => ({
    partitions: await partitionsOf(sql),
    constraints:
      await sql`select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) from pg_constraint
      where connamespace in ('public'::regnamespace, 'history'::regnamespace) and contype <> 'n' order by 1, 2`.values(),
    triggers:
      await sql`select tgrelid::regclass::text as table, tgname, tgenabled from pg_trigger where not tgisinternal
      order by 1, 2`.values(),
    views: await sql`select viewname, definition from pg_views where schemaname = 'as_of' order by 1`.values(),
    migrations: await sql`select hash, created_at from drizzle.__drizzle_migrations order by id`.values(),
  }));

describe("npm run backup and npm run restore", () => {
  it("restore every row as of one moment, while purchases, log records and changes go on", async () => {
    const file = at("busy.tar.gz");
    const { caller } = await world.account();
    let digests = new Map<string, string>();
    let writing = true;
    const write = async () => {
      for (let round = 0; writing; round++) {
        await subscribe(world, (await world.account()).caller);
        await changeRecord(
          world.ctx,
          { machineUser: "tests" },
          {
            kind: "route",
            code: world.routes[0]?.code ?? "",
            values: { standard_days: String(20 + (round % 10)) },
          },
        );
      }
    };
    let writer: Promise<void> | undefined;
    await backUp(sourceUrl, file, {
      release: "1.2.3",
      now: world.clock.now(),
      secretsKeyId: null,
      onSnapshot: async (snapshot) => {
        const session = "isolation level repeatable read read only" as const;
        digests = await inTransaction(sourceUrl, session, async (sql) => {
          await sql.unsafe(`set transaction snapshot '${snapshot}'`);
          // What follows is not in the snapshot: neither these rows nor those that are written until the backup ends.
          await subscribe(world, caller);
          writer = write();
          return rowDigests(sql);
        });
      },
    });
    writing = false;
    await writer;

    const url = await emptyDatabase();
    const { code, output, errors } = await run("restore", { DATABASE_URL: url }, file);
    expect(errors).toBe("");
    expect(output).toContain("Everything agrees to the cent.");
    expect(code).toBe(0);
    const restored = await inTransaction(url, "", rowDigests);
    expect(restored).toEqual(digests);
    expect(restored.get("public.subscriptions")).toMatch(/^1 rows/);
    expect(restored.get("history.routes")).not.toMatch(/^0 rows/);
    expect(await inTransaction(sourceUrl, "", rowDigests)).not.toEqual(digests);
    expect(await structureOf(url)).toEqual(await structureOf(sourceUrl));
  }, 300_000);

  it("continue with new identifiers after a restore, in another database and back", async () => {
    const [first, second] = [at("there.tar.gz"), at("back.tar.gz")];
    const elsewhere = await emptyDatabase();
    await backUpTo(first);
    expect((await run("restore", { DATABASE_URL: elsewhere }, first)).code).toBe(0);
    expect((await run("backup", { DATABASE_URL: elsewhere }, second)).code).toBe(0);
    const back = await emptyDatabase();
    expect((await run("restore", { DATABASE_URL: back }, second)).code).toBe(0);
    expect(await inTransaction(back, "", rowDigests)).toEqual(await inTransaction(sourceUrl, "", rowDigests));
    expect(await inTransaction(back, "", sequencesOf)).toEqual(await inTransaction(sourceUrl, "", sequencesOf));
  }, 300_000);

  it("say in one line that a backup is complete and who can read it, and verify it", async () => {
    const file = at("verified.tar.gz");
    const written = await run("backup", { DATABASE_URL: sourceUrl }, file);
    expect(written.output).toMatch(/verified\.tar\.gz: \d+ tables, [\d,]+ rows, [\d.]+ MB\.\n/);
    expect(written.output).toContain("It does not contain the key to its secrets: store SECRETS_KEY separately.");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const { code, output, errors } = await run("backup", { DATABASE_URL: "" }, "--verify", file);
    expect([code, errors]).toEqual([0, ""]);
    expect(output).toMatch(/[\d,]+ rows restored and compared\.\n[\s\S]*Everything agrees to the cent\.\n$/);
    expect(existsSync(at("data/postgres"))).toBe(false);
  }, 300_000);

  it("replace a database only with --replace, and leave it as it was if the backup is damaged", async () => {
    const file = at("whole.tar.gz");
    await backUpTo(file);
    const url = await emptyDatabase();
    await run("restore", { DATABASE_URL: url }, file);
    const before = await inTransaction(url, "", rowDigests);

    const refused = await run("restore", { DATABASE_URL: url }, file);
    expect([refused.code, refused.errors]).toEqual([2, expect.stringContaining("add --replace")]);

    const tar = gunzipSync(readFileSync(file));
    const changed = Buffer.from(tar);
    changed[changed.indexOf("shipper-1@example.com")] = 0x58;
    const ends = { cut: gzipSync(tar.subarray(0, -4096)), changed: gzipSync(changed), text: Buffer.from("no backup") };
    for (const [name, content] of Object.entries(ends)) {
      writeFileSync(at(name), content);
      const { code, errors } = await run("restore", { DATABASE_URL: url }, at(name), "--replace");
      expect([name, code, errors]).toEqual([
        name,
        2,
        expect.stringMatching(/is damaged or no backup: .*Use another backup\.\n$/),
      ]);
    }
    expect(await inTransaction(url, "", rowDigests)).toEqual(before);

    const replaced = await run("restore", { DATABASE_URL: url }, file, "--replace");
    expect([replaced.code, replaced.errors]).toEqual([0, ""]);
    expect(await inTransaction(url, "", rowDigests)).toEqual(before);
  }, 300_000);

  it("refuse to restore while the service runs, and a backup from a newer release", async () => {
    const file = at("newer.tar.gz");
    await backUpTo(file);
    const service = postgres(sourceUrl, { max: 1, connection: { application_name: "shipping-route-data-service" } });
    await service`select 1`;
    const running = await run("restore", { DATABASE_URL: sourceUrl }, file, "--replace");
    expect([running.code, running.errors]).toEqual([2, expect.stringContaining("The service runs on this database.")]);
    await service.end();

    const future = await emptyDatabase();
    await run("restore", { DATABASE_URL: future }, file);
    const sql = postgres(future, { max: 1, onnotice: () => {} });
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('', 9999999999999)`;
    await sql`insert into drizzle.compatibility (created_at, name, needs) values (9999999999999, '9999_from_the_future', 0)`;
    await sql.end();
    await backUpTo(at("future.tar.gz"), future);
    const { code, errors } = await run("restore", { DATABASE_URL: await emptyDatabase() }, at("future.tar.gz"));
    expect([code, errors]).toEqual([
      2,
      expect.stringContaining("a schema (9999_from_the_future) that this release does not know"),
    ]);
  }, 300_000);

  it("back up a database of a release before the names of migrations were kept", async () => {
    const former = await emptyDatabase();
    await backUpTo(at("present.tar.gz"));
    await run("restore", { DATABASE_URL: former }, at("present.tar.gz"));
    const sql = postgres(former, { max: 1, onnotice: () => {} });
    await sql`drop table drizzle.compatibility`;
    await sql.end();
    const written = await run("backup", { DATABASE_URL: former, SECRETS_KEY: "" }, at("former.tar.gz"));
    expect([written.code, written.errors]).toEqual([0, ""]);
    expect(written.output).toContain("SECRETS_KEY is not set for this command");
    const url = await emptyDatabase();
    expect((await run("restore", { DATABASE_URL: url }, at("former.tar.gz"))).code).toBe(0);
    expect(await inTransaction(url, "", rowDigests)).toEqual(await inTransaction(former, "", rowDigests));
  }, 300_000);

  it("warn about another key, and carry the key of DATA_DIR on demand", async () => {
    const [bare, keyed] = [at("bare.tar.gz"), at("keyed.tar.gz")];
    await backUpTo(bare);
    const bareIn = (dataDir: string, key: string) =>
      emptyDatabase().then((url) => run("restore", { DATABASE_URL: url, DATA_DIR: dataDir, SECRETS_KEY: key }, bare));
    const without = await bareIn(at("data"), "");
    expect(without.output).toContain("WARNING  The backup's secrets are encrypted with a key that is not here.");
    const other = await bareIn(at("data"), Buffer.alloc(32, "other").toString("base64"));
    expect(other.output).toContain("WARNING  The backup's secrets are encrypted with another key.");

    const [from, to] = [mkdtempSync(at("from-")), mkdtempSync(at("to-"))];
    writeFileSync(path.join(from, "secrets-key"), `${secretsKey.toString("base64")}\n`);
    const settings = { DATABASE_URL: sourceUrl, SECRETS_KEY: "", DATA_DIR: from };
    expect((await run("backup", settings, keyed, "--with-secrets-key")).output).toContain("It contains the key");
    const url = await emptyDatabase();
    const { output } = await run("restore", { DATABASE_URL: url, SECRETS_KEY: "", DATA_DIR: to }, keyed);
    expect(output).not.toContain("WARNING");
    expect(readFileSync(path.join(to, "secrets-key"), "utf8").trim()).toBe(secretsKey.toString("base64"));
    expect(statSync(path.join(to, "secrets-key")).mode & 0o777).toBe(0o600);
  }, 300_000);

  it("leave no file if the backup cannot be written, and never overwrite one", async () => {
    writeFileSync(at("kept.tar.gz"), "kept");
    await expect(backUpTo(at("kept.tar.gz"))).rejects.toThrow("exists. Choose another name");
    expect(readFileSync(at("kept.tar.gz"), "utf8")).toBe("kept");
    await expect(backUpTo(at("nowhere/file.tar.gz"))).rejects.toThrow("cannot be written (ENOENT)");
    // A file as a folder: like one that may not be entered, it cannot even be asked what is in it.
    await expect(backUpTo(at("kept.tar.gz/file.tar.gz"))).rejects.toThrow("cannot be written (ENOTDIR)");
    const { code, errors } = await run("backup", { DATABASE_URL: await emptyDatabase() }, at("empty.tar.gz"));
    expect([code, errors]).toEqual([2, expect.stringContaining("The database is empty.")]);
    expect(existsSync(at("empty.tar.gz"))).toBe(false);
  }, 120_000);

  it.each([0, 2 ** 20])(
    "say that the disk is full after %d bytes, and end the session",
    async (freeBytes) => {
      const url = await emptyDatabase();
      const sql = postgres(url, { max: 1, onnotice: () => {} });
      await sql`create schema drizzle`;
      await sql`create table drizzle.__drizzle_migrations (hash text, created_at bigint)`;
      // Of several megabytes, also when compressed, so that neither is it read in one piece nor written in one.
      await sql`
      create table large as select string_agg(md5(format('%s %s', number, part)), '') from generate_series(1, 5000) number,
      generate_series(1, 60) part group by number`;
      await sql.end();
      let free = freeBytes;
      vi.spyOn(fs, "createWriteStream").mockImplementation(
        () =>
          new Writable({
            write: (chunk: Buffer, _encoding, done) => {
              free -= chunk.length;
              done(free < 0 ? Object.assign(new Error("no space left"), { code: "ENOSPC" }) : null);
            },
          }) as fs.WriteStream,
      );
      await expect(backUpTo(at("full.tar.gz"), url)).rejects.toThrow("full.tar.gz cannot be written (ENOSPC)");
      expect(readdirSync(folder).filter((name) => name.includes("full.tar.gz"))).toEqual([]);
      const sessions = () =>
        admin`select state from pg_stat_activity where datname = ${new URL(url).pathname.slice(1)}`.values();
      await vi.waitFor(async () => expect(await sessions()).toEqual([]), { timeout: 10_000 });
    },
    120_000,
  );

  it("create no database where none can be backed up, or for a file that is no backup", async () => {
    const settings = { DATABASE_URL: "", DATA_DIR: at("mistyped") };
    const missing = await run("backup", settings, at("missing.tar.gz"));
    expect([missing.code, missing.errors]).toEqual([2, expect.stringContaining("There is no database in")]);
    writeFileSync(at("letter.txt"), "no backup");
    const foreign = await run("restore", settings, at("letter.txt"));
    expect([foreign.code, foreign.errors]).toEqual([2, expect.stringContaining("is damaged or no backup")]);
    expect(existsSync(at("mistyped/postgres"))).toBe(false);
  }, 120_000);

  it("leave no key behind if the backup turns out to be damaged", async () => {
    const data = mkdtempSync(at("keyed-"));
    writeFileSync(path.join(data, "secrets-key"), `${secretsKey.toString("base64")}\n`);
    const settings = { DATABASE_URL: sourceUrl, SECRETS_KEY: "", DATA_DIR: data };
    await run("backup", settings, at("with-key.tar.gz"), "--with-secrets-key");
    writeFileSync(at("cut-key"), gzipSync(gunzipSync(readFileSync(at("with-key.tar.gz"))).subarray(0, -4096)));
    const to = mkdtempSync(at("none-"));
    const url = await emptyDatabase();
    const { code } = await run("restore", { DATABASE_URL: url, SECRETS_KEY: "", DATA_DIR: to }, at("cut-key"));
    expect([code, existsSync(path.join(to, "secrets-key"))]).toEqual([2, false]);
  }, 120_000);
});
