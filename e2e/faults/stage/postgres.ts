/** A PostgreSQL server that a scenario may stop, freeze, crash and fill. Durable, as in production. */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import postgres from "postgres";
import { createCluster } from "#scripts/embedded-postgres/cluster.ts";
import { urlOf } from "#scripts/embedded-postgres/connection.ts";
import { launcherFor } from "#scripts/embedded-postgres/launcher.ts";
import { isAlive } from "#scripts/embedded-postgres/lock-file.ts";
import { ensureRunning } from "#scripts/embedded-postgres/server-process.ts";

export type OwnPostgres = {
  url(database: string): string;
  /** Ends every session and stops. What was committed is on disk. */
  stop(): Promise<void>;
  /** Stops at once, without a checkpoint, as when the machine loses its power. */
  crash(): Promise<void>;
  /** Starts again on the same port. */
  start(): Promise<void>;
  /** Neither accepts nor answers; connections stay open. */
  freeze(): void;
  thaw(): void;
  /** Null if the disk can be filled, else why not. */
  cannotFill: string | null;
  /** Leaves no space for new rows. The log (WAL) is on another disk. */
  fill(): void;
  empty(): void;
  /** Creates a database whose tables are on the small disk, if there is one. */
  createDatabase(name: string): Promise<void>;
  remove(): Promise<void>;
};

/** Enough for a migrated database with a small catalogue, and what a scenario writes. */
const diskMegabytes = 400;

/** @param options.withSmallDisk without it, the disk cannot be filled */
export const openOwnPostgres = async ({ withSmallDisk }: { withSmallDisk: boolean }): Promise<OwnPostgres> => {
  const home = mkdtempSync(path.join(tmpdir(), "faults-"));
  const disk = withSmallDisk ? smallDisk(path.join(home, "disk")) : "its disk is not small";
  const launcher = await launcherFor(path.join(home, "data"));
  createCluster(launcher);
  const settings = { processes: 8, durable: true, report: () => {} };
  let server = await ensureRunning(launcher, settings);
  const end = async (signal: NodeJS.Signals) => {
    process.kill(server.pid, signal);
    for (let waited = 0; isAlive(server.pid); waited += 20) {
      if (waited > 60_000) throw new Error(`PostgreSQL did not end within a minute of ${signal}`);
      await wait(20);
    }
  };
  // A run that is interrupted leaves nothing behind.
  const abandon = () => {
    if (isAlive(server.pid)) signalAll("SIGKILL");
    tidyUp();
  };
  const tidyUp = () => {
    if (disk === null) spawnSync("umount", ["--lazy", path.join(home, "disk")]);
    rmSync(home, { recursive: true, force: true });
  };
  process.once("exit", abandon);
  const ballast = path.join(home, "disk", "ballast");
  const signalAll = (signal: NodeJS.Signals) => {
    // The server first: it starts no more processes that would be missed.
    const order =
      signal === "SIGSTOP" ? [server.pid, ...childrenOf(server.pid)] : [...childrenOf(server.pid), server.pid];
    for (const pid of order) if (isAlive(pid)) process.kill(pid, signal);
  };
  const asAdmin = async (statements: string[]) => {
    const sql = postgres(urlOf(server, "postgres"), { max: 1, onnotice: () => {} });
    try {
      for (const statement of statements) await sql.unsafe(statement);
    } finally {
      await sql.end();
    }
  };
  if (disk === null) {
    const folder = path.join(home, "disk", "tables");
    mkdirSync(folder, { mode: 0o700 });
    if (launcher.user) execFileSync("chown", [`${launcher.user.uid}:${launcher.user.gid}`, folder]);
    await asAdmin([`create tablespace small location '${folder}'`]);
  }
  return {
    url: (database) => urlOf(server, database),
    stop: () => end("SIGINT"),
    crash: () => end("SIGQUIT"),
    start: async () => {
      server = await ensureRunning(launcher, { ...settings, port: server.port });
    },
    freeze: () => signalAll("SIGSTOP"),
    thaw: () => signalAll("SIGCONT"),
    cannotFill: disk,
    fill: () => {
      const { bavail, bsize } = statfsSync(path.join(home, "disk"));
      try {
        writeFileSync(ballast, Buffer.alloc(bavail * bsize));
      } catch (error) {
        // PostgreSQL has taken some of the space meanwhile. What was left is full.
        if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
      }
    },
    empty: () => rmSync(ballast, { force: true }),
    createDatabase: (name) => asAdmin([`create database "${name}"${disk === null ? " tablespace small" : ""}`]),
    remove: async () => {
      if (isAlive(server.pid)) {
        signalAll("SIGCONT");
        await end("SIGQUIT");
      }
      process.off("exit", abandon);
      tidyUp();
      rmSync(path.dirname(launcher.dataDir), { recursive: true, force: true });
    },
  };
};

/** @returns null if a small file system is mounted there, else why not */
const smallDisk = (folder: string): string | null => {
  mkdirSync(folder);
  if (process.platform !== "linux") return "it needs Linux, for a small file system (tmpfs)";
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${diskMegabytes}m,mode=755`, "tmpfs", folder]);
  return mounted.status === 0 ? null : "this user cannot mount a small file system (tmpfs); root can";
};

const childrenOf = (pid: number): number[] =>
  spawnSync("pgrep", ["-P", String(pid)], { encoding: "utf8" })
    .stdout.split("\n")
    .filter((line) => line !== "")
    .map(Number);
