/**
 * `npm run faults` runs the long form, in three parts: workers that are killed while a fast clock runs, processes of the built
 * service that are killed while they serve, and the service while what it depends on fails. `--only workers`, `kills` or
 * `outages` runs one of them, and passes all other options on: `npm run faults -- --only kills --kills 1000`. With `--record`
 * the result is written to `RESULT.md`. It exits with 1 when anything was lost, doubled, wrong or did not recover.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

const parts = { workers: "workers/run.ts", kills: "kills.ts", outages: "outages.ts" };

const args = process.argv.slice(2);
const isRecorded = args.includes("--record");
const only = args.includes("--only") ? args[args.indexOf("--only") + 1] : undefined;
const rest = args.filter((arg, index) => arg !== "--record" && arg !== "--only" && args[index - 1] !== "--only");
const chosen = Object.entries(parts).filter(([name]) => only === undefined || only === name);
if (chosen.length === 0) throw new RangeError(`--only must be one of: ${Object.keys(parts).join(", ")}`);
if (only === undefined && rest.length > 0) throw new RangeError(`Say for which part ${rest.join(" ")} is, with --only`);
if (!existsSync("build/server/index.js")) throw new Error("There is no build to start: run `npm run build` first");

const folder = mkdtempSync(path.join(tmpdir(), "faults-pages-"));
const pageOf = (name: string) => path.join(folder, `${name}.md`);

const run = (name: string, file: string): Promise<number> =>
  new Promise((resolve) => {
    const script = path.join(import.meta.dirname, file);
    const command = ["--import", "tsx", script, ...rest, "--page", pageOf(name)];
    const child = spawn(process.execPath, command, { stdio: "inherit" });
    for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => child.kill(signal));
    child.once("exit", (code) => resolve(code ?? 1));
  });

let failed = 0;
for (const [name, file] of chosen) if ((await run(name, file)) !== 0) failed += 1;

/** The parts that did not run now keep their last result. */
const record = () => {
  const result = new URL("RESULT.md", import.meta.url);
  const [, ...earlier] = existsSync(result) ? readFileSync(result, "utf8").split(/^(?=## )/m) : [];
  const headings = {
    workers: "## Killed while at work",
    kills: "## Killed while serving",
    outages: "## What the service",
  };
  const pages = Object.entries(headings).flatMap(([name, heading]) =>
    existsSync(pageOf(name))
      ? [readFileSync(pageOf(name), "utf8")]
      : earlier.filter((page) => page.startsWith(heading)),
  );
  const command =
    "Written by `npm run faults -- --record`. What each part does is described at the top of its file in this folder.";
  writeFileSync(result, `# Faults\n\n${command}\n\n${pages.map((page) => page.trim()).join("\n\n")}\n`);
};
if (isRecorded) record();
rmSync(folder, { recursive: true, force: true });
process.exitCode = failed === 0 ? 0 : 1;
