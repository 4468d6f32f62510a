import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";

const pinned = { version: "1.0.0", integrity: "sha512-abc" };
const other = { version: "1.1.0", integrity: "sha512-xyz" };

/** Stands in for npm: notes its arguments, and installs what `outcome` says. */
const npm = `
const fs = require("node:fs");
fs.appendFileSync("npm-calls", process.argv[2] + "\\n");
if (!fs.existsSync("outcome")) {
  process.stderr.write("npm error code EUSAGE\\n");
  process.exit(1);
}
fs.mkdirSync("node_modules", { recursive: true });
fs.copyFileSync("outcome", "node_modules/.package-lock.json");
`;

/** In minutes since 1970: after every file that the installation itself writes. */
const later = 100_000_000;

let folder: string;
const at = (...names: string[]) => path.join(folder, ...names);
const writeLock = (file: string, packages: object, minute: number) => {
  mkdirSync(path.dirname(at(file)), { recursive: true });
  writeFileSync(at(file), JSON.stringify({ lockfileVersion: 3, packages: { "": {}, ...packages } }));
  utimesSync(at(file), minute * 60, minute * 60);
};
const install = () => {
  const program = 'import("./scripts/prepare.mjs").then((m) => m.install().catch((error) => m.fail(error.message)))';
  const { status, stderr } = spawnSync(process.execPath, ["-e", program], {
    cwd: folder,
    env: { ...process.env, npm_execpath: at("npm-cli.js") },
    encoding: "utf8",
  });
  const calls = existsSync(at("npm-calls")) ? readFileSync(at("npm-calls"), "utf8").trim().split("\n") : [];
  rmSync(at("npm-calls"), { force: true });
  return { status, stderr, calls };
};

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "prepare-"));
  for (const file of ["prepare.mjs", "supply/lockfile.mjs"]) cpSync(path.join("scripts", file), at("scripts", file));
  writeFileSync(at("npm-cli.js"), npm);
  writeLock("package-lock.json", { "node_modules/a": pinned }, 1);
});
afterEach(() => rmSync(folder, { recursive: true }));

it("installs what is locked, once", () => {
  writeLock("outcome", { "node_modules/a": pinned }, 2);
  expect(install()).toEqual({ status: 0, stderr: "", calls: ["ci"] });
  expect(install()).toEqual({ status: 0, stderr: "", calls: [] });
});

it("does not install anything else when that fails, and says so", () => {
  const { status, stderr, calls } = install();
  expect({ status, calls }).toEqual({ status: 1, calls: ["ci"] });
  expect(stderr).toContain("npm error code EUSAGE");
  expect(stderr).toContain("Nothing else was tried.");
});

it("does not start to install from a lockfile with an unverified package", () => {
  writeLock("package-lock.json", { "node_modules/a": pinned, "node_modules/b": { version: "1.0.0" } }, 1);
  const { status, stderr, calls } = install();
  expect({ status, calls }).toEqual({ status: 1, calls: [] });
  expect(stderr).toContain("node_modules/b has no integrity");
});

it("keeps what was installed by hand if it is what is locked", () => {
  writeLock("node_modules/.package-lock.json", { "node_modules/a": pinned }, 2);
  expect(install()).toEqual({ status: 0, stderr: "", calls: [] });
});

it("says at every start that packages installed by hand are not the locked ones", () => {
  writeLock("node_modules/.package-lock.json", { "node_modules/a": other }, 2);
  for (const _ of ["first", "second"]) {
    const { status, stderr, calls } = install();
    expect({ status, calls }).toEqual({ status: 0, calls: [] });
    expect(stderr).toContain("node_modules/a 1.1.0 is installed, not 1.0.0 as locked");
  }
});

it("notices what is installed by hand after its own installation", () => {
  writeLock("outcome", { "node_modules/a": pinned }, 2);
  install();
  writeLock("node_modules/.package-lock.json", { "node_modules/a": other }, later);
  expect(install().stderr).toContain("node_modules/a 1.1.0 is installed, not 1.0.0 as locked");
});

it("installs again when the lockfile has changed since", () => {
  writeLock("node_modules/.package-lock.json", { "node_modules/a": pinned }, 2);
  install();
  writeLock("package-lock.json", { "node_modules/a": other }, later);
  writeLock("outcome", { "node_modules/a": other }, 3);
  expect(install()).toEqual({ status: 0, stderr: "", calls: ["ci"] });
});

it("does not install again when the lockfile was written anew with the same packages", () => {
  writeLock("node_modules/.package-lock.json", { "node_modules/a": pinned }, 2);
  install();
  writeLock("package-lock.json", { "node_modules/a": { ...pinned, dev: true } }, later);
  expect(install()).toEqual({ status: 0, stderr: "", calls: [] });
});

it("installs again for another release of Node", () => {
  writeLock("outcome", { "node_modules/a": pinned }, 2);
  install();
  writeFileSync(at("node_modules/.installed-for"), "hash 1 linux x64");
  expect(install()).toEqual({ status: 0, stderr: "", calls: ["ci"] });
});
