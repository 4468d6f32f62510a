/** Installs and builds what the service and its tests need. Imports only what is part of Node, as nothing is installed yet. */
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { differences, unverified } from "./supply/lockfile.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
/** @param {string[]} names */
const at = (...names) => path.join(root, ...names);

/**
 * Ends the process with a message that says what to do.
 *
 * @type {(message: string) => never}
 */
export const fail = (message) => {
  process.stderr.write(`${message}\n`);
  process.exit(1);
};

export const checkNode = () => {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    fail(`Node ${process.versions.node} is too old: install Node 20.19 or later (https://nodejs.org) and start again.`);
  }
};

/**
 * Installs the packages of package-lock.json unless they are installed for this Node and platform. Never installs others:
 * what somebody has installed by hand is kept, and any difference is shown.
 *
 * @throws Error whose message is for the operator
 */
export const install = async () => {
  const stamp = at("node_modules", ".installed-for");
  const installed = at("node_modules", ".package-lock.json");
  const locked = at("package-lock.json");
  const host = [process.versions.modules, process.platform, process.arch].join(" ");
  const wanted = `${hashOf([locked])} ${host}`;
  const isByHand = isNewer(installed, locked) && (!fs.existsSync(stamp) || isNewer(installed, stamp));
  if (read(stamp) === wanted && !isByHand) return;
  if (fs.existsSync(installed) && (read(stamp)?.endsWith(host) ?? true)) {
    const found = differences(packagesOf(locked), packagesOf(installed));
    if (found.length === 0) return write(stamp, wanted);
    if (isByHand) {
      warn(`The installed packages are not those of package-lock.json:\n${listed(found)}\n"npm ci" installs those.`);
      return;
    }
  }
  const unsafe = unverified(packagesOf(locked));
  if (unsafe.length > 0) {
    throw new Error(
      `package-lock.json would let npm install packages unverified:\n${listed(unsafe)}\n` +
        'Restore the file ("git checkout package-lock.json") and start again.',
    );
  }
  try {
    await step("Installing packages", ...npm("ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund"));
  } catch (error) {
    throw new Error(
      `${error instanceof Error ? error.message : error}\nNothing else was tried. ` +
        "If npm found package-lock.json and package.json out of sync, restore both, or use a newer npm. " +
        '"npm install --no-save" installs without the lockfile\'s versions; the next start says how they differ.',
    );
  }
  write(stamp, wanted);
};

/** @type {(file: string) => import("./supply/lockfile.mjs").Entries} */
const packagesOf = (file) => JSON.parse(fs.readFileSync(file, "utf8")).packages;

/** @type {(lines: string[]) => string} */
const listed = (lines) =>
  [...lines.slice(0, 5), ...(lines.length > 5 ? [`and ${lines.length - 5} more`] : [])]
    .map((line) => `  ${line}`)
    .join("\n");

/** @type {(message: string) => void} */
const warn = (message) => void process.stderr.write(`Warning: ${message}\n`);

/**
 * Builds unless the build is up to date.
 *
 * @throws Error whose message is for the operator
 */
export const build = async () => {
  const stamp = at("build", "made-from");
  const wanted = hashOf(sources());
  if (read(stamp) === wanted && fs.existsSync(at("build", "server", "index.js"))) return;
  fs.rmSync(stamp, { force: true });
  await step("Building", ...npm("run", "--silent", "build"));
  write(stamp, wanted);
};

/** @type {(...args: string[]) => [command: string, ...args: string[]]} */
const npm = (...args) => {
  const own = process.env.npm_execpath;
  return own?.endsWith("npm-cli.js") ? [process.execPath, own, ...args] : ["npm", ...args];
};

/**
 * Runs a command, shows how long it took, and its output only if it failed.
 *
 * @type {(title: string, command: string, ...args: string[]) => Promise<void>}
 */
const step = async (title, command, ...args) => {
  const started = performance.now();
  process.stdout.write(`${title} …${process.stdout.isTTY ? "" : "\n"}`);
  const { code, output } = await run(command, args);
  const seconds = `${((performance.now() - started) / 1000).toFixed(1)} s`;
  if (code === 0) {
    process.stdout.write(process.stdout.isTTY ? ` ${seconds}\n` : `${title}: done in ${seconds}\n`);
    return;
  }
  process.stdout.write("\n");
  throw new Error(`${output.trimEnd()}\n${title} failed after ${seconds}; what it said stands above.`);
};

/** @type {(command: string, args: string[]) => Promise<{ code: number, output: string }>} */
const run = (command, args) =>
  new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"], env: buildEnvironment() });
    /** @type {Buffer[]} */
    const output = [];
    child.stdout.on("data", (chunk) => output.push(chunk));
    child.stderr.on("data", (chunk) => output.push(chunk));
    /** @param {NodeJS.Signals} signal */
    const stop = (signal) => {
      child.kill(signal);
      process.exit(1);
    };
    process.once("SIGTERM", stop).once("SIGINT", stop);
    /** @type {(code: number, output: string) => void} */
    const end = (code, text) => {
      process.off("SIGTERM", stop).off("SIGINT", stop);
      resolve({ code, output: text });
    };
    child.on("error", (error) => end(1, `${command} cannot be started: ${error.message}`));
    child.on("close", (code) => end(code ?? 1, Buffer.concat(output).toString("utf8")));
  });

/** NODE_ENV=production would skip the dev dependencies that the build needs. */
const buildEnvironment = () => {
  const { NODE_ENV: _, ...rest } = process.env;
  return /** @type {NodeJS.ProcessEnv} */ (rest);
};

// ── Stamps ──────────────────────────────────────────────────────────────────────────────────────────

/** Written by the build itself. */
const generated = new Set([at("public", "world.svg")]);
const sources = () =>
  ["app", "drizzle", "inngest", "public", "scripts"]
    .flatMap((folder) => filesOf(at(folder)))
    .concat(
      ["package.json", "package-lock.json", "tsconfig.json", "vite.config.ts", "tailwind.config.ts"].map((name) =>
        at(name),
      ),
    )
    .filter((file) => !generated.has(file) && !/.test.tsx?$/.test(file) && fs.existsSync(file));

/** @type {(folder: string) => string[]} */
const filesOf = (folder) =>
  fs.existsSync(folder)
    ? fs
        .readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
        .sort()
    : [];

/** @type {(files: string[]) => string} */
const hashOf = (files) => {
  const hash = createHash("sha256");
  for (const file of files)
    hash.update(path.relative(root, file)).update("\0").update(fs.readFileSync(file)).update("\0");
  return hash.digest("hex");
};

/** @type {(file: string) => string | null} */
const read = (file) => (fs.existsSync(file) ? fs.readFileSync(file, "utf8") : null);

/** @type {(file: string, text: string) => void} */
const write = (file, text) => {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, text);
};

/** @type {(file: string, than: string) => boolean} */
const isNewer = (file, than) =>
  fs.existsSync(file) && fs.existsSync(than) && fs.statSync(file).mtimeMs >= fs.statSync(than).mtimeMs;
