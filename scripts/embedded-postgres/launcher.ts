/** Under which user PostgreSQL runs, with which binaries, on which folder. */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { nativeFolder } from "./binaries.ts";
import { codeOf, PostgresTrouble } from "./trouble.ts";

export type Launcher = {
  /** A command that runs the program in its place, such as `unshare`; often empty. */
  prefix: string[];
  /** The user to run as; unset: the present one. */
  user?: { uid: number; gid: number };
  bin: string;
  dataDir: string;
};

const sharedHome = "/var/lib/shipping-route-data-service";

/**
 * PostgreSQL refuses to run as root. Root therefore runs it, in this order of preference:
 * as the ordinary user who owns the data; in a user namespace where root appears as `nobody`, so that files stay root's
 * and stay where they are, even below a folder that only root may enter; else as the real `nobody`, with data (and
 * binaries, where it cannot reach them) in /var/lib.
 *
 * @throws PostgresTrouble
 */
export const launcherFor = async (dataDir: string): Promise<Launcher> => {
  if (process.platform === "win32") {
    throw new PostgresTrouble(
      "The embedded PostgreSQL does not run on Windows. Set DATABASE_URL, or start inside WSL.",
    );
  }
  const native = nativeFolder();
  const direct = { prefix: [], bin: path.join(native, "bin"), dataDir };
  if (process.geteuid?.() !== 0) {
    createFolder(path.dirname(dataDir));
    return direct;
  }

  const owner = fs.statSync(path.join(dataDir, "PG_VERSION"), { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) {
    return withReachableBinaries({ ...direct, user: { uid: owner.uid, gid: owner.gid } }, native);
  }

  const nobody = accountOf("nobody") ?? { uid: 65534, gid: 65534 };
  const home = path.join(sharedHome, createHash("sha256").update(dataDir).digest("hex").slice(0, 16));
  const asNobody = { ...direct, user: nobody, dataDir: path.join(home, "postgres") };
  if (!owner && fs.existsSync(asNobody.dataDir)) return withReachableBinaries(asNobody, native);

  createFolder(path.dirname(dataDir));
  const namespace = ["unshare", "--user", `--map-user=${nobody.uid}`, `--map-group=${nobody.gid}`];
  const inNamespace = { ...direct, prefix: namespace };
  if (runs(inNamespace) && namespaceMayWrite(namespace, path.dirname(dataDir))) return inNamespace;
  if (owner) {
    throw new PostgresTrouble(
      `${dataDir} belongs to root, and no user namespace can be made here to run PostgreSQL on it. ` +
        "Give the folder to an ordinary user with chown, or set DATABASE_URL.",
    );
  }
  createFolder(home);
  fs.chownSync(home, nobody.uid, nobody.gid);
  return withReachableBinaries(asNobody, native);
};

/** Command, arguments and options to start one of PostgreSQL's programs with. */
export const commandOf = ({ prefix, bin, user }: Launcher, program: string, args: string[]) => {
  const [command = "", ...rest] = [...prefix, path.join(bin, program), ...args];
  return { command, args: rest, options: { cwd: "/", env: quietEnvironment(), ...user } };
};

/** Without the caller's PG* variables and locale, which would change what the programs do. */
const quietEnvironment = (): NodeJS.ProcessEnv => {
  const { PATH, NODE_ENV } = process.env;
  return { PATH, NODE_ENV, LC_ALL: "C", TZ: "UTC" };
};

/** Runs one of PostgreSQL's programs until it exits. */
export const run = (launcher: Launcher, program: string, programArgs: string[]): SpawnSyncReturns<string> => {
  const { command, args, options } = commandOf(launcher, program, programArgs);
  return spawnSync(command, args, { ...options, encoding: "utf8" });
};

/** The last line that a program wrote: why it failed. */
export const lastLineOf = ({ error, stderr, stdout }: SpawnSyncReturns<string>): string =>
  (error?.message ?? `${stderr}${stdout}`).trim().split("\n").at(-1) ?? "";

const createFolder = (folder: string): void => {
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.accessSync(folder, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    throw new PostgresTrouble(
      `${folder} cannot be written (${codeOf(error)}). Make it writable for this user, or set DATA_DIR or DATABASE_URL.`,
    );
  }
};

const accountOf = (name: string): { uid: number; gid: number } | null => {
  if (!fs.existsSync("/etc/passwd")) return null;
  const lines = fs.readFileSync("/etc/passwd", "utf8").split("\n");
  const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null;
};

const runs = (launcher: Launcher): boolean => run(launcher, "postgres", ["--version"]).status === 0;

const namespaceMayWrite = ([command = "", ...options]: string[], folder: string): boolean =>
  spawnSync(command, [...options, "test", "-w", folder], { stdio: "ignore" }).status === 0;

/** Copies the binaries to /var/lib if the launcher's user cannot enter the checkout. */
const withReachableBinaries = (launcher: Launcher, native: string): Launcher => {
  if (runs(launcher)) return launcher;
  const { mtimeMs, size } = fs.statSync(path.join(native, "bin", "postgres"));
  const copy = path.join(sharedHome, `binaries-${size}-${Math.floor(mtimeMs)}`);
  if (!fs.existsSync(copy)) {
    createFolder(sharedHome);
    const unfinished = `${copy}.${process.pid}`;
    fs.cpSync(native, unfinished, { recursive: true, verbatimSymlinks: true });
    fs.renameSync(unfinished, copy);
  }
  const copied = { ...launcher, bin: path.join(copy, "bin") };
  const trial = run(copied, "postgres", ["--version"]);
  if (trial.status === 0) return copied;
  throw new PostgresTrouble(
    `PostgreSQL does not run as uid ${launcher.user?.uid}: ${lastLineOf(trial)}. Set DATABASE_URL.`,
  );
};
