/** The server's process: found if it runs, else started, and stopped again. */
import { spawn } from "node:child_process";
import fs from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { answers, passwordFile, type ServerAddress } from "./connection.ts";
import { commandOf, type Launcher } from "./launcher.ts";
import { isAlive, markLockStale, readLock, servesFolder } from "./lock-file.ts";
import { PostgresTrouble } from "./trouble.ts";

type RunningServer = ServerAddress & { pid: number };

const startLimitMs = 120_000;
const maxAttempts = 10;

/** @param options.port where a server that is started listens; any free port if unset @throws PostgresTrouble */
export const ensureRunning = async (
  launcher: Launcher,
  options: { processes: number; durable: boolean; report: (line: string) => void; port?: number },
): Promise<RunningServer & { found: boolean }> => {
  const { report, port } = options;
  const password = fs.readFileSync(path.join(launcher.dataDir, passwordFile), "utf8").trim();
  const deadline = performance.now() + startLimitMs;
  for (let attempt = 1; ; attempt++) {
    const running = await findRunning(launcher.dataDir, password, deadline);
    if (running) return { ...running, found: true };
    const address = { port: port ?? (await freePort()), password };
    const started = await launch(launcher, address, { ...options, deadline });
    if ("pid" in started) return { ...started, found: false };
    if (attempt === maxAttempts || performance.now() > deadline) {
      throw new PostgresTrouble(`The embedded PostgreSQL does not start: ${started.reason}. Its log: ${started.log}`);
    }
    report(`The embedded PostgreSQL did not start yet: ${started.reason}`);
    await sleep(500);
  }
};

/** The server in the folder's lock file, once it responds. Null if there is none. */
const findRunning = async (dataDir: string, password: string, deadline: number): Promise<RunningServer | null> => {
  while (performance.now() < deadline) {
    const lock = readLock(dataDir);
    if (!lock || !isAlive(lock.pid)) return null;
    if (!servesFolder(lock.pid, dataDir)) {
      markLockStale(dataDir, lock);
      return null;
    }
    if (lock.port && (await answers({ port: lock.port, password }, dataDir))) return { ...lock, password };
    await sleep(50);
  }
  return null;
};

const launch = async (
  launcher: Launcher,
  address: ServerAddress,
  { deadline, ...use }: { processes: number; durable: boolean; deadline: number },
): Promise<RunningServer | { reason: string; log: string }> => {
  const { dataDir, user } = launcher;
  const log = path.join(path.dirname(dataDir), `${path.basename(dataDir)}.log`);
  const logStart = fs.statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  const output = fs.openSync(log, logStart > 10_000_000 ? "w" : "a", 0o600);
  if (user) fs.fchownSync(output, user.uid, user.gid);
  const { command, args, options } = commandOf(launcher, "postgres", [
    "-D",
    dataDir,
    ...Object.entries(settings(address.port, use)).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ]);
  // Its own process group: Ctrl-C reaches the service alone, which stops the database last.
  const child = spawn(command, args, { ...options, detached: true, stdio: ["ignore", output, output] });
  fs.closeSync(output);
  child.unref();
  const exit: { reason: string | null } = { reason: null };
  child.on("error", (error) => {
    exit.reason = error.message;
  });
  child.on("exit", (code, signal) => {
    exit.reason = `it ended with ${signal ?? `code ${code}`}`;
  });

  while (exit.reason === null && performance.now() < deadline) {
    const { pid } = child;
    if (pid !== undefined && readLock(dataDir)?.pid === pid && (await answers(address, dataDir))) {
      return { pid, ...address };
    }
    await sleep(20);
  }
  return { reason: lastError(log, logStart) ?? exit.reason ?? "it took too long", log };
};

/** The message of the last error that PostgreSQL has logged since this start. */
const lastError = (log: string, from: number): string | undefined =>
  fs
    .readFileSync(log)
    .subarray(from)
    .toString("utf8")
    .split("\n")
    .filter((line) => /(FATAL|PANIC|ERROR):/.test(line))
    .at(-1)
    ?.replace(/^.*?(FATAL|PANIC|ERROR):\s*/, "");

/** For a small machine: few connections, short queries, and nothing lost that was committed. */
const settings = (
  port: number,
  { processes, durable }: { processes: number; durable: boolean },
): Record<string, string | number> => ({
  listen_addresses: "127.0.0.1",
  port,
  unix_socket_directories: "",
  // Each process of the service has 24 (`openDatabase`); the rest is for commands and a second service.
  max_connections: durable ? 36 + 24 * processes : 200,
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

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });

/** Fast shutdown: sessions are ended, everything committed is on disk. An immediate one where that takes too long. */
export const stopServer = async (pid: number): Promise<void> => {
  const signals = [
    { signal: "SIGINT", timeoutMs: 20_000 },
    { signal: "SIGQUIT", timeoutMs: 5_000 },
  ] as const;
  for (const { signal, timeoutMs } of signals) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    for (const until = performance.now() + timeoutMs; performance.now() < until; await sleep(20)) {
      if (!isAlive(pid)) return;
    }
  }
};
