/** Finds the rows that may match a term by the values of their columns, without looking at every row. */
import { countingSort } from "./counting-sort.ts";
import type { Column, Columns } from "./search-columns.ts";

export type Postings = ReturnType<typeof postingsOf>;

/** The rows of each value of these columns, in their order. */
export const postingsOf = (
  allRows: Uint32Array,
  { origin, destination, kind, kinds }: Columns,
  { ports, label, labels }: { ports: number; label: Column; labels: number },
) => ({
  origin: countingSort(allRows, origin, ports),
  destination: countingSort(allRows, destination, ports),
  kind: countingSort(allRows, kind, kinds.length),
  label: countingSort(allRows, label, labels),
});

/** How many rows have a value. */
export const sizeOf = ({ starts }: Wanted["postings"], value: number): number =>
  (starts[value + 1] as number) - (starts[value] as number);

/** Marks the wanted values of a column. Null: none. */
export type Wanted = { postings: ReturnType<typeof countingSort>; points: Uint16Array | null };

/** At most this many rows have a value with `least` points in one of the columns. */
export const mostRowsOf = (wanted: readonly Wanted[], least: number): number => {
  let most = 0;
  for (const { postings, points } of wanted) {
    if (points === null) continue;
    for (let value = 0; value < points.length; value++) {
      if ((points[value] as number) < least) continue;
      most += sizeOf(postings, value);
    }
  }
  return most;
};

/**
 * The rows that have a value with `least` points in one of the columns, in their order.
 *
 * @param into at least as long as there are rows
 */
export const rowsOf = (wanted: readonly Wanted[], least: number, also: number, into: Uint32Array): Uint32Array => {
  const bits = new Uint32Array((into.length >> 5) + 1);
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
  let found = 0;
  for (let word = 0; word < bits.length; word++) {
    for (let rest = bits[word] as number; rest !== 0; rest &= rest - 1) {
      into[found++] = (word << 5) + 31 - Math.clz32(rest & -rest);
    }
  }
  return into.subarray(0, found);
};
