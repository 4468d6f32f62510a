/** Formats results and writes them to bench/results. */
import { mkdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("results", import.meta.url));

/** The machine, without anything that identifies it. */
export const machine = () => ({
  cores: os.availableParallelism(),
  node: process.versions.node,
  platform: os.platform(),
  loadBefore,
});

/** The load average of the minute before the benchmark. Other load widens the spreads. */
const loadBefore = Math.round((os.loadavg()[0] ?? 0) * 10) / 10;

export const machineInWords = (): string => {
  const { cores, node, platform } = machine();
  return `${cores} cores, Node ${node}, ${platform}; the client, the servers and PostgreSQL share them. Other load at the start: ${loadBefore}`;
};

export type Spread = { median: number; least: number; most: number };

export const spreadOf = (values: number[]): Spread => {
  const sorted = values.toSorted((a, b) => a - b);
  const [least, most] = [sorted[0], sorted.at(-1)];
  const median = sorted[Math.floor(sorted.length / 2)];
  if (least === undefined || most === undefined || median === undefined) throw new Error("Nothing was measured");
  return { median, least, most };
};

/** Of the values without the smallest and the largest quarter: single requests have outliers that say nothing. */
export const middleHalfOf = (values: number[]): Spread => {
  const quarter = Math.floor(values.length / 4);
  return spreadOf(values.toSorted((a, b) => a - b).slice(quarter, values.length - quarter));
};

export const spreadInWords = ({ median, least, most }: Spread): string =>
  least === most ? figure(median) : `${figure(median)} (${figure(least)}–${figure(most)})`;

/** Three significant digits. */
const figure = (value: number): string => {
  if (value === 0) return "0";
  const text = value.toPrecision(3);
  return Math.abs(value) >= 999.5 ? Number(text).toLocaleString("en-US") : text.replace(/e(-\d+)/, "·10^$1");
};

export const table = (header: string[], rows: string[][]): string =>
  [header, header.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");

/** Writes bench/results/NAME.json and NAME.md. */
export const writeResults = (name: string, data: object, page: string): void => {
  mkdirSync(folder, { recursive: true });
  const content = { machine: machine(), ...data };
  writeFileSync(path.join(folder, `${name}.json`), `${JSON.stringify(content, null, 2)}\n`);
  writeFileSync(path.join(folder, `${name}.md`), `${page}\n`);
};
