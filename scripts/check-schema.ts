/** Fails if drizzle/schema has changes without a migration. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";

const migrations = path.join("drizzle", "migrations");
// drizzle-kit accepts only an `out` relative to the checkout.
const copy = path.join(".cache", "schema-check");

fs.rmSync(copy, { recursive: true, force: true });
fs.cpSync(migrations, copy, { recursive: true });
const generate = ["generate", "--dialect=postgresql", "--casing=snake_case", "--schema=./drizzle/schema/index.ts"];
const drizzleKit = path.join("node_modules", "drizzle-kit", "bin.cjs");
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [drizzleKit, ...generate, `--out=./${copy}`, "--name=drift"],
  {
    encoding: "utf8",
    input: "",
  },
);
const drift = fs
  .readdirSync(copy)
  .filter((name) => name.endsWith(".sql") && !fs.existsSync(path.join(migrations, name)));
for (const name of drift) process.stdout.write(`${fs.readFileSync(path.join(copy, name), "utf8")}\n`);
fs.rmSync(copy, { recursive: true, force: true });

if (drift.length > 0) {
  process.stdout.write(
    'The statements above are in drizzle/schema and in no migration: run "npx drizzle-kit generate".\n',
  );
} else if (status !== 0 || !stdout.includes("No schema changes")) {
  process.stdout.write(`${stdout}${stderr}\n`);
}
process.exitCode = drift.length === 0 && status === 0 && stdout.includes("No schema changes") ? 0 : 1;
