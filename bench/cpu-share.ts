/** Limits processes to a share of a core each, through Linux's control groups, version 1 or 2. Needs root. */
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { print } from "./stage.ts";

const root = "/sys/fs/cgroup";
/** Short, so that a process rests often and not long. */
const periodUs = 10_000;

/** @returns what ends the limits; null if this machine or user cannot set them */
export const limitCpu = (pids: readonly number[], share: number): (() => void) | null => {
  const quotaUs = Math.round(periodUs * share);
  const undo: (() => void)[] = [];
  const end = () => {
    for (const each of undo.toReversed()) ignoringErrors(each);
  };
  try {
    const isFirst = existsSync(path.join(root, "cpu", "cpu.cfs_quota_us"));
    const parent = isFirst ? path.join(root, "cpu") : root;
    if (!isFirst) writeFileSync(path.join(root, "cgroup.subtree_control"), "+cpu");
    for (const pid of pids) {
      const group = path.join(parent, `srds-bench-${pid}`);
      mkdirSync(group);
      undo.push(() => rmdirSync(group));
      if (isFirst) {
        writeFileSync(path.join(group, "cpu.cfs_period_us"), String(periodUs));
        writeFileSync(path.join(group, "cpu.cfs_quota_us"), String(quotaUs));
      } else {
        writeFileSync(path.join(group, "cpu.max"), `${quotaUs} ${periodUs}`);
      }
      writeFileSync(path.join(group, "cgroup.procs"), String(pid));
      undo.push(() => writeFileSync(path.join(parent, "cgroup.procs"), String(pid)));
    }
    return end;
  } catch (error) {
    print(
      `The CPU time of processes cannot be limited here: ${error instanceof Error ? error.message : String(error)}`,
    );
    end();
    return null;
  }
};

/** A process may have ended meanwhile, and its group may be gone. */
const ignoringErrors = (undo: () => void): void => {
  try {
    undo();
  } catch {
    // Nothing is left to undo.
  }
};
