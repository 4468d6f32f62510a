/**
 * `npm run import -- KIND FILE`: imports a file into the catalogue, with the checks, the preview and the audit log of the
 * console. Works on the database of DATABASE_URL, or the embedded one of DATA_DIR, whether the service runs or not.
 */
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import readline from "node:readline/promises";
import { parseArgs } from "node:util";
import type { Context } from "../app/domain/context.ts";
import { Refusal } from "../app/domain/errors.ts";
import type { Finding } from "../app/domain/imports/finding.ts";
import { type ImportKind, importKinds } from "../app/domain/imports/formats.ts";
import {
  applyImport,
  checkFile,
  discardImport,
  type ReadImport,
  readImport,
} from "../app/domain/imports/imports.server.ts";
import { counted, grouped } from "../app/domain/wording.ts";
import { jsonLog } from "../app/platform/log.server.ts";
import { log, onServiceDatabase } from "./service-database.ts";

const usage = `npm run import -- KIND FILE            checks the file, shows what would change, and asks before applying it
npm run import -- KIND FILE --check    checks it only
npm run import -- KIND FILE --yes      applies it without asking

KIND is one of ${importKinds.join(", ")}.
Exits with 0 if the file is applied (with --check: could be), with 1 if it has errors or is not applied.`;

type Options = { kind: ImportKind; file: string; onlyCheck: boolean; isConfirmed: boolean };

/** Null: the command line is wrong. */
const optionsIn = (args: string[]): Options | null => {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { check: { type: "boolean", default: false }, yes: { type: "boolean", default: false } },
    });
    const [word, file, ...more] = positionals;
    const kind = importKinds.find((each) => each === word);
    if (!kind || !file || more.length > 0) return null;
    return { kind, file, onlyCheck: values.check, isConfirmed: values.yes };
  } catch {
    return null;
  }
};

const by = { machineUser: os.userInfo().username };

const run = async (
  { db, clock }: Pick<Context, "db" | "clock">,
  { kind, file, onlyCheck, isConfirmed }: Options,
): Promise<number> => {
  const ctx = { db, clock, log: jsonLog(log) };
  const { size } = fs.statSync(file);
  const content = fs.createReadStream(file, { highWaterMark: 256 * 1024 });
  const reading = progressLine("Reading");
  const { id, done } = await checkFile(ctx, by, {
    fileName: path.basename(file),
    kind,
    content,
    onRead: (rows) => reading.show(rows, content.bytesRead / size),
  });
  reading.end();
  log("Checking");
  await done;
  const checked = await readImport(ctx, by, { id });
  print(checked);
  if (checked.status !== "checked") return 1;
  const discard = () => discardImport(ctx, by, { id });
  if (onlyCheck) {
    await discard();
    return 0;
  }
  if (!isConfirmed && !(await isAgreed())) {
    await discard();
    log("Nothing was applied.");
    return 1;
  }
  const writing = progressLine("Applying");
  const applying = await applyImport(ctx, by, {
    id,
    onWritten: (rows) => writing.show(rows, rows / checked.counts.rows),
  });
  await applying.done;
  writing.end();
  const { counts, changedRoutes } = await readImport(ctx, by, { id });
  log(`Applied: ${outcomeOf(counts)}. Routes with new data: ${grouped(changedRoutes ?? 0)}.`);
  return 0;
};

const isAgreed = async (): Promise<boolean> => {
  if (!process.stdin.isTTY) {
    process.stderr.write("Nobody can be asked here: confirm with --yes.\n");
    return false;
  }
  const terminal = readline.createInterface({ input: process.stdin, output: process.stdout });
  const answer = await terminal.question("Apply it? (y/n) ");
  terminal.close();
  return /^y(es)?$/i.test(answer.trim());
};

/** Replaces itself on a terminal; elsewhere a line for every tenth. */
const progressLine = (what: string) => {
  const isTerminal = process.stdout.isTTY === true;
  let lastTenth = 0;
  return {
    show: (rows: number, fraction: number): void => {
      const line = `${what}: ${Math.min(100, Math.floor(fraction * 100))} %, ${counted(rows, "row")}`;
      if (isTerminal) process.stdout.write(`\r${line}`);
      else if (Math.floor(fraction * 10) > lastTenth) log(line);
      lastTenth = Math.floor(fraction * 10);
    },
    end: () => {
      if (isTerminal) process.stdout.write("\n");
    },
  };
};

const print = ({ fileName, counts, errors, warnings, preview }: ReadImport): void => {
  printFindings("error", fileName, errors, counts.errors);
  printFindings("warning", fileName, warnings, counts.warnings);
  if (counts.errors > 0) {
    log(`${counted(counts.rows, "row")}. Correct the file: nothing can be applied.`);
    return;
  }
  log(`${counted(counts.rows, "row")}: ${outcomeOf(counts)}.`);
  if (!preview) return;
  for (const { key, fields } of preview.changes) {
    log(
      `  ${key}: ${fields.map(({ name, before, after }) => `${name} ${before ?? "–"} → ${after ?? "–"}`).join(", ")}`,
    );
  }
  const { routes, subscriptions } = preview.touched;
  log(`Affects ${counted(routes, "existing route")} with ${counted(subscriptions, "running subscription")}.`);
  for (const { code, beforeCents, afterCents, validFrom, periods } of preview.prices) {
    const before = beforeCents === null ? "none" : (beforeCents / 100).toFixed(2);
    const after = `${(afterCents / 100).toFixed(2)} from ${validFrom}`;
    log(`  Base price of ${code}: ${before} → ${after}, ${counted(periods, "period")}`);
  }
};

const printFindings = (what: string, fileName: string, findings: readonly Finding[], count: number): void => {
  for (const { row, column, code, message, value } of findings) {
    const place = [fileName, `row ${row}`, ...(column === "" ? [] : [column])].join(", ");
    log(`${what}  ${place}  ${code}  ${message}${value === "" ? "" : `  (${JSON.stringify(value)})`}`);
  }
  if (count > findings.length) log(`… and ${counted(count - findings.length, `more ${what}`)}.`);
};

const outcomeOf = (counts: ReadImport["counts"]): string =>
  `${grouped(counts.new)} new, ${grouped(counts.changed)} changed, ${grouped(counts.unchanged)} unchanged`;

const commandLine = process.argv.slice(2);
const options = optionsIn(commandLine);
if (!options) {
  const isAsked = ["", "help", "--help", "-h"].includes(commandLine[0] ?? "");
  if (isAsked) log(usage);
  else process.stderr.write(`${usage}\n`);
  process.exitCode = isAsked ? 0 : 2;
} else if (!fs.statSync(options.file, { throwIfNoEntry: false })?.isFile()) {
  process.stderr.write(`There is no file ${options.file}\n`);
  process.exitCode = 2;
} else {
  await onServiceDatabase(async (service) => {
    try {
      return await run(service, options);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      process.stderr.write(`${error.fields[0]?.message ?? error.message}\n`);
      return 1;
    }
  });
}
