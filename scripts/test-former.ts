/**
 * `npm run test:former -- [--ref REF] [FILE …]`: the contract suite of the former release on the schema of this one, as in a
 * rolling deploy. The former release is the last commit with an older schema, or REF. CONTRIBUTING.md, Expand and contract.
 */
import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { migrate } from "../drizzle/migrate.ts";
import { readMigrations } from "../drizzle/migrations.ts";
import { startPostgres } from "./embedded-postgres/start.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const journal = "drizzle/migrations/meta/_journal.json";

const log = (line: string): void => {
  process.stdout.write(`${line}\n`);
};
const git = (...args: string[]): string =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: 1 << 28 }).trim();

const newestIn = (text: string): string =>
  (JSON.parse(text) as { entries: { tag: string }[] }).entries.at(-1)?.tag ?? "";

/** The last commit whose newest migration is another one. */
const formerCommit = (newest: string): string => {
  if (newestIn(git("show", `HEAD:${journal}`)) !== newest) return git("rev-parse", "HEAD");
  for (const commit of git("log", "--format=%H", "--", journal).split("\n")) {
    const before = git("rev-parse", `${commit}^`);
    if (newestIn(git("show", `${before}:${journal}`)) !== newest) return completeAt(before);
  }
  throw new Error("Every commit has this schema. Name one with --ref.");
};

/** The commit, or the last one before it whose tables are those of its migrations: a commit may have left out its migration. */
const completeAt = (commit: string): string => {
  const lastChange = (file: string) => git("log", "-1", "--format=%H", commit, "--", file);
  const ofTables = lastChange("drizzle/schema");
  const isMigrated = git("merge-base", ofTables, lastChange(journal)) === ofTables;
  return isMigrated ? commit : completeAt(git("rev-parse", `${ofTables}^`));
};

/** A built checkout of the commit. It shares the installed packages, if it has the same. */
const checkOut = (commit: string): string => {
  const folder = path.join(root, ".cache", `former-${commit.slice(0, 12)}`);
  if (fs.existsSync(path.join(folder, "build", "server", "index.js"))) return folder;
  fs.rmSync(folder, { recursive: true, force: true });
  fs.mkdirSync(folder, { recursive: true });
  const archive = execFileSync("git", ["archive", commit], { cwd: root, maxBuffer: 1 << 30 });
  execFileSync("tar", ["-x", "-C", folder], { input: archive });
  const lock = (of: string) => fs.readFileSync(path.join(of, "package-lock.json"), "utf8");
  if (packagesOf(lock(folder)) === packagesOf(lock(root))) {
    fs.symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  } else {
    log("Installing its packages …");
    run(folder, "npm", "ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund");
  }
  log("Building it …");
  run(folder, "npm", "run", "build");
  return folder;
};

/** What is installed: without the first entry, which is the project itself. */
const packagesOf = (lock: string): string => {
  const { packages } = JSON.parse(lock) as { packages: Record<string, unknown> };
  return JSON.stringify({ ...packages, "": null });
};

const run = (folder: string, program: string, ...args: string[]): void => {
  execFileSync(program, args, { cwd: folder, stdio: ["ignore", "ignore", "inherit"] });
};

/** Prints the names of the templates that the tests of a release clone, and makes them where they are missing. */
const printTemplates = `
  import { prepareSeededTemplate, prepareTemplate } from "./app/testing/test-server.ts";
  const url = process.env.TEST_DATABASE_URL;
  process.stdout.write(JSON.stringify([await prepareTemplate(url), await prepareSeededTemplate(url)]));`;

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { ref: { type: "string" } } });
  const newest = readMigrations().at(-1)?.name ?? "";
  const commit = values.ref ? git("rev-parse", `${values.ref}^{commit}`) : formerCommit(newest);
  log(`The former release is ${git("log", "-1", "--format=%h %s", commit)}`);
  log(`Its schema ends with ${newestIn(git("show", `${commit}:${journal}`))}, that of this release with ${newest}.`);
  const folder = checkOut(commit);

  const server = await startPostgres({ dataDir: path.join(root, ".data", "former-postgres"), durable: false });
  try {
    const env = { ...process.env, TEST_DATABASE_URL: server.url() };
    log("Filling its test databases …");
    const command = ["--import", "tsx", "--input-type=module", "--eval", printTemplates];
    const names = JSON.parse(
      execFileSync(process.execPath, command, { cwd: folder, env, encoding: "utf8" }),
    ) as string[];
    log("Migrating them to the schema of this release …");
    for (const name of names) await migrate(server.url(name));
    log("Running its contract suite …");
    const vitest = [path.join("node_modules", ".bin", "vitest"), "run", "--project=contract", ...positionals];
    const { status } = spawnSync(process.execPath, vitest, { cwd: folder, env, stdio: "inherit" });
    return status ?? 1;
  } finally {
    await server.stop();
    fs.rmSync(server.dataDir, { recursive: true, force: true });
  }
};

process.exitCode = await main();
