/** PostgreSQL's lock file, `postmaster.pid`: which process serves a data folder. */
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { codeOf, PostgresTrouble } from "./trouble.ts";

/** `port` is 0 until the server has opened one. */
export type Lock = { pid: number; port: number };

/** No process has this id, so PostgreSQL considers a lock file with it stale. */
const nobodysPid = 2_147_483_647;

const lockFileOf = (dataDir: string): string => path.join(dataDir, "postmaster.pid");

/** @throws PostgresTrouble if the folder belongs to another user */
export const readLock = (dataDir: string): Lock | null => {
  try {
    const lines = fs.readFileSync(lockFileOf(dataDir), "utf8").split("\n");
    return { pid: Number(lines[0]), port: Number(lines[3] ?? 0) };
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw new PostgresTrouble(
      `${dataDir} cannot be read (${codeOf(error)}). Start as the user it belongs to, or set DATA_DIR or DATABASE_URL.`,
    );
  }
};

export const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
};

/**
 * Whether the process is the server of this folder. Process ids are used again, soonest in containers, and a dead process
 * stays in the table until its parent collects it. Only a server works inside its data folder and names it in its command
 * line.
 */
export const servesFolder = (pid: number, dataDir: string): boolean => {
  if (process.platform !== "linux") {
    const { stdout } = spawnSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
    return stdout?.includes(dataDir) ?? true;
  }
  try {
    if (fs.readlinkSync(`/proc/${pid}/cwd`) === fs.realpathSync(dataDir)) return true;
  } catch {
    // Another user's process: only its command line can be read.
  }
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(dataDir);
  } catch {
    return false;
  }
};

/**
 * Makes a lock file stale whose process id now belongs to another program. PostgreSQL then still checks that nobody uses
 * its shared memory; deleting the file would skip that check.
 */
export const markLockStale = (dataDir: string, lock: Lock): void => {
  const file = lockFileOf(dataDir);
  const [pid, ...rest] = fs.readFileSync(file, "utf8").split("\n");
  if (Number(pid) === lock.pid) fs.writeFileSync(file, [nobodysPid, ...rest].join("\n"));
};
