/** CPU time and memory of processes, from Linux's /proc. */
import { existsSync, readdirSync, readFileSync } from "node:fs";

/** Of one moment. The difference between two snapshots is what was used in between. */
export type CpuSnapshot = {
  /** CPU seconds of these processes and all their descendants, ended ones included. Each counts once. */
  secondsOf(...pids: number[]): number;
  /** CPU seconds of everything on the machine. */
  machineSeconds: number;
};

export type Memory = { rssMegabytes: number; peakMegabytes: number };

/** /proc counts in hundredths of a second on every platform that Node runs on (`getconf CLK_TCK`). */
const ticksPerSecond = 100;

export const hasProc = existsSync("/proc/self/stat");

export const takeCpuSnapshot = (): CpuSnapshot => {
  const ticks = new Map<number, number>();
  const children = new Map<number, number[]>();
  for (const name of readdirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? readStat(name) : null;
    if (!stat) continue;
    ticks.set(Number(name), stat.ticks);
    const siblings = children.get(stat.parent);
    if (siblings) siblings.push(Number(name));
    else children.set(stat.parent, [Number(name)]);
  }
  const treeOf = (pid: number): number[] => [pid, ...(children.get(pid) ?? []).flatMap(treeOf)];
  return {
    secondsOf: (...pids) =>
      [...new Set(pids.flatMap(treeOf))].reduce((sum, pid) => sum + (ticks.get(pid) ?? 0), 0) / ticksPerSecond,
    machineSeconds: machineTicks() / ticksPerSecond,
  };
};

/** The processes that one has started. */
export const childrenOf = (pid: number): number[] =>
  readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && readStat(name)?.parent === pid)
    .map(Number);

/** Null: the process has ended since the folder was listed. */
const readStat = (pid: string): { parent: number; ticks: number } | null => {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "latin1");
  } catch {
    return null;
  }
  // The name in parentheses may contain spaces. The fields after it: state, parent, …, utime, stime, cutime, cstime.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return { parent: Number(fields[1]), ticks: sum(fields.slice(11, 15).map(Number)) };
};

/** Everything except idle time and waiting for the disk. */
const machineTicks = (): number => {
  const [line = ""] = readFileSync("/proc/stat", "latin1").split("\n");
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = line.split(/\s+/).slice(1).map(Number);
  return sum([user, nice, system, irq, softIrq, steal]);
};

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

/** Of the process without its children. */
export const memoryOf = (pid: number): Memory => {
  const status = readFileSync(`/proc/${pid}/status`, "latin1");
  const megabytes = (field: string) => Number(new RegExp(`${field}:\\s*(\\d+) kB`).exec(status)?.[1]) / 1024;
  return { rssMegabytes: megabytes("VmRSS"), peakMegabytes: megabytes("VmHWM") };
};
