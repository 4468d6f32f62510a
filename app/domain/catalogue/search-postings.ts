/** Finds the rows that may match a term by the values of their columns, without looking at every row. */
import type { countingSort } from "./counting-sort.ts";

/** The rows of each value, in their order. */
type Postings = ReturnType<typeof countingSort>;

/** Marks the wanted values of a column. Null: none. */
export type Wanted = { postings: Postings; points: Uint16Array | null };

/** At most this many rows have a value with `least` points in one of the columns. */
export const mostRowsOf = (wanted: readonly Wanted[], least: number): number => {
  let most = 0;
  for (const { postings, points } of wanted) {
    if (points === null) continue;
    for (let value = 0; value < points.length; value++) {
      if ((points[value] as number) < least) continue;
      most += (postings.starts[value + 1] as number) - (postings.starts[value] as number);
    }
  }
  return most;
};

/** The rows that have a value with `least` points in one of the columns, in their order. */
export const rowsOf = (wanted: readonly Wanted[], least: number, { rows, also }: { rows: number; also: number }) => {
  const bits = new Uint32Array((rows >> 5) + 1);
  const mark = (row: number) => {
    bits[row >> 5] = (bits[row >> 5] as number) | (1 << (row & 31));
  };
  for (const { postings, points } of wanted) {
    if (points === null) continue;
    for (let value = 0; value < points.length; value++) {
      if ((points[value] as number) < least) continue;
      const end = postings.starts[value + 1] as number;
      for (let at = postings.starts[value] as number; at < end; at++) mark(postings.sorted[at] as number);
    }
  }
  if (also >= 0) mark(also);
  return marked(bits);
};

const marked = (bits: Uint32Array): Uint32Array => {
  let most = 0;
  for (let word = 0; word < bits.length; word++) most += bits[word] === 0 ? 0 : 32;
  const rows = new Uint32Array(most);
  let found = 0;
  for (let word = 0; word < bits.length; word++) {
    for (let rest = bits[word] as number; rest !== 0; rest &= rest - 1) {
      rows[found++] = (word << 5) + 31 - Math.clz32(rest & -rest);
    }
  }
  return rows.subarray(0, found);
};
